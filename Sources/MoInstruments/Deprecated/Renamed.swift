/// The earlier name of `InstrumentFactory`.
@available(*, deprecated, renamed: "InstrumentFactory")
public typealias InstrumentEntry = InstrumentFactory
