/// Those that are played by moving; a new one is a line here.
let motionInstruments: [InstrumentFactory] = [
  InstrumentFactory(ShakerInstrument.self),
  InstrumentFactory(Harp.self),
  InstrumentFactory(ReedInstrument.self),
  InstrumentFactory(Bars.self),
  InstrumentFactory(Drone.self),
  InstrumentFactory(Arpeggio.self),
]
