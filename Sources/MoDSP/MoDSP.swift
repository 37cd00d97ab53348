// A program that imports the signal kit also gets the first voices and the motion that plays them.
@_exported import MoDSPCore
