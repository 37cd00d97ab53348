@_exported import MoInstruments
@_exported import MoOrchestra
