@_exported import MoOrchestra
