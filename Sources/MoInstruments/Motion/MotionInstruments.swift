/// Those that are played by moving; a new one is a line here.
let motionInstruments: [InstrumentEntry] = [
  InstrumentEntry(ShakerInstrument.self),
  InstrumentEntry(Harp.self),
  InstrumentEntry(ReedInstrument.self),
  InstrumentEntry(Bars.self),
  InstrumentEntry(Drone.self),
  InstrumentEntry(Arpeggio.self),
]
