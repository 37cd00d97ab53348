/// The earlier name of `InstrumentInfo`.
@available(*, deprecated, renamed: "InstrumentInfo")
public typealias InstrumentSheet = InstrumentInfo
