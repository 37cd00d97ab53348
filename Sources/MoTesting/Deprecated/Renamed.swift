/// The earlier name of `InstrumentRender`.
@available(*, deprecated, renamed: "InstrumentRender")
public typealias Rig = InstrumentRender
