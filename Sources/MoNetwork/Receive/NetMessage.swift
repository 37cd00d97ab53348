import MoCore
import MoOSC

/// A message that came, with who sent it and when.
public struct NetMessage: Sendable {
  /// The address it came for; where the sender used a pattern, the pattern.
  public let address: String
  /// Its values.
  public let arguments: [OSCArgument]
  /// Who sent it.
  public var sender: NetAddress { context.peer.address }
  /// The time tag of the bundle it came in; nil outside a bundle, and for "immediately".
  public var timeTag: OSCTimeTag? { context.timeTag }
  /// When it came, by the kernel's stamp; for a connection, when it was read.
  public var arrival: HostTime { context.arrival }
  /// When it takes effect: the moment of its time tag, else its arrival.
  public var time: HostTime { context.time }
  /// Whether it came by a TCP connection.
  public var isFromStream: Bool { context.peer.stream != 0 }

  private let context: NetContext

  @usableFromInline package init(_ values: NetValues, _ context: NetContext) {
    address = values.address
    arguments = values.view.arguments
    self.context = context
  }

  /// Sends an answer to the sender: from the port the message came to, or on its connection.
  ///
  /// - Throws: `NetError`.
  /// - Thread: any but the audio callback.
  public func reply(_ address: String, _ values: any OSCValue...) throws {
    try context.server.outbound.reply(.message(OSCMessage(address, values: values)), to: context.peer)
  }

  /// Sends a packet to the sender, as `reply(_:_:)`.
  public func reply(_ packet: OSCPacket) throws {
    try context.server.outbound.reply(packet, to: context.peer)
  }
}
