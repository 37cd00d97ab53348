/// A group of messages and further bundles that take effect together at a moment.
public struct OSCBundle: Hashable, Sendable {
  /// The time at which the contents take effect.
  public var timeTag: OSCTimeTag
  /// The contents, in order.
  public var elements: [OSCPacket]

  /// Creates a bundle of messages and bundles, nested at most `OSCPacket.maximumDepth` deep.
  public init(_ timeTag: OSCTimeTag, _ elements: [OSCPacket]) {
    self.timeTag = timeTag
    self.elements = elements
  }

  /// Creates a bundle of messages.
  public init(_ timeTag: OSCTimeTag, messages: [OSCMessage]) {
    self.init(timeTag, messages.map { .message($0) })
  }
}
