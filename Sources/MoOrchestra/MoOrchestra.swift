@_exported import MoMu
@_exported import MoSessionCore
