@_exported import MoDSP
@_exported import MoOSC
@_exported import MoTime
