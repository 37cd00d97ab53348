/// The instruments that are played by movement; add each new instrument that movement plays to this list.
let motionInstruments: [InstrumentFactory] = [
  InstrumentFactory(ShakerInstrument.self),
  InstrumentFactory(Harp.self),
  InstrumentFactory(ReedInstrument.self),
  InstrumentFactory(Bars.self),
  InstrumentFactory(Drone.self),
  InstrumentFactory(Arpeggio.self),
]
