// Who has the signal kit has the first voices and the motion that they are played with, too.
@_exported import MoDSPCore
