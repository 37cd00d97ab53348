/// The earlier name of `RemotePart`.
@available(*, deprecated, renamed: "RemotePart")
public typealias PartPlayer = RemotePart
