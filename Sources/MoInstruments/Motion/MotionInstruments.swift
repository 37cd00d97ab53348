/// Those that are played by moving; a new one is a line here.
let motionInstruments: [InstrumentEntry] = []
