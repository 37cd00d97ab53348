/// Those with keys; a new one is a line here.
let keyInstruments: [InstrumentFactory] = [InstrumentFactory(Piano.self)]
