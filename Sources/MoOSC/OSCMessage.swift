/// An address and the values sent to it.
public struct OSCMessage: Hashable, Sendable {
  /// Where it goes, such as `/drum/hit`; when sending it may be a pattern.
  public var address: String
  /// The values, in order.
  public var arguments: [OSCArgument]

  /// A message to an address, which begins with `/`; checked when it is encoded.
  public init(_ address: String, _ arguments: [OSCArgument] = []) {
    self.address = address
    self.arguments = arguments
  }

  /// The types of the values, such as `iff`: what stands after the comma in the bytes.
  public var typeTags: String { String(arguments.map(\.typeTag)) }
}
