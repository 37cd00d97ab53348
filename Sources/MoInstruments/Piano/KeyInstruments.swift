/// The instruments with keys; add each new instrument with keys to this list.
let keyInstruments: [InstrumentFactory] = [InstrumentFactory(Piano.self)]
