/// Those with keys; a new one is a line here.
let keyInstruments: [InstrumentEntry] = [InstrumentEntry(Piano.self)]
