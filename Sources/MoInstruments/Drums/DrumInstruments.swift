/// Those that are struck, alone or by a pattern; a new one is a line here.
let drumInstruments: [InstrumentEntry] = [
  InstrumentEntry(DrumKit.self), InstrumentEntry(DrumMachine.self), InstrumentEntry(Band.self),
]
