/// The instruments with keys; add a new one here.
let keyInstruments: [InstrumentFactory] = [InstrumentFactory(Piano.self)]
