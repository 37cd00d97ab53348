@_exported import MoMu
