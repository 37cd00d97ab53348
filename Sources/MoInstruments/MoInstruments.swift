@_exported import MoDSP
@_exported import MoMIDI
@_exported import MoMu
