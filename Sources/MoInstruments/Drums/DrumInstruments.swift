/// The instruments that are struck, by hand or by a pattern; add each new instrument of this kind to this list.
let drumInstruments: [InstrumentFactory] = [
  InstrumentFactory(DrumKit.self), InstrumentFactory(DrumMachine.self), InstrumentFactory(Band.self),
]
