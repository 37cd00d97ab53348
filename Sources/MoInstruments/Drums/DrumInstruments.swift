/// Those that are struck, alone or by a pattern; a new one is a line here.
let drumInstruments: [InstrumentFactory] = [
  InstrumentFactory(DrumKit.self), InstrumentFactory(DrumMachine.self), InstrumentFactory(Band.self),
]
