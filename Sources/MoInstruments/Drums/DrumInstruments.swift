/// The instruments that are struck, by hand or by a pattern; add a new one here.
let drumInstruments: [InstrumentFactory] = [
  InstrumentFactory(DrumKit.self), InstrumentFactory(DrumMachine.self), InstrumentFactory(Band.self),
]
