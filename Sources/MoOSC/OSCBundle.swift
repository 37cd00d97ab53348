/// Messages, and further bundles, that take effect together at one moment.
public struct OSCBundle: Hashable, Sendable {
  /// When they take effect.
  public var timeTag: OSCTimeTag
  /// What is inside, in order.
  public var elements: [OSCPacket]

  /// A bundle of messages and bundles, nested at most `OSCPacket.maximumDepth` deep.
  public init(_ timeTag: OSCTimeTag, _ elements: [OSCPacket]) {
    self.timeTag = timeTag
    self.elements = elements
  }

  /// A bundle of messages.
  public init(_ timeTag: OSCTimeTag, messages: [OSCMessage]) {
    self.init(timeTag, messages.map { .message($0) })
  }
}
