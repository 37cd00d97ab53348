/// The instruments that are played by movement; add each new instrument here.
let motionInstruments: [InstrumentFactory] = [
  InstrumentFactory(ShakerInstrument.self),
  InstrumentFactory(Harp.self),
  InstrumentFactory(ReedInstrument.self),
  InstrumentFactory(Bars.self),
  InstrumentFactory(Drone.self),
  InstrumentFactory(Arpeggio.self),
]
