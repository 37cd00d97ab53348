@_exported import MoInstruments
@_exported import MoMu
@_exported import MoSessionCore
