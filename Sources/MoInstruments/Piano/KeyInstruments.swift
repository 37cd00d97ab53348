/// The instruments with keys; add each new instrument here.
let keyInstruments: [InstrumentFactory] = [InstrumentFactory(Piano.self)]
