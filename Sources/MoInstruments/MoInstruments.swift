@_exported import MoDSP
@_exported import MoMu
