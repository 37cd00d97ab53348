import MoCore
import MoOSC

/// A received message, with its sender and its times.
public struct NetMessage: Sendable {
  /// The address to which the message was sent; the pattern if the sender used a pattern.
  public let address: String
  /// Its values.
  public let arguments: [OSCArgument]
  /// The address of its sender.
  public var sender: NetAddress { context.peer.address }
  /// The time tag of the message's bundle; nil outside a bundle, and for "immediately".
  public var timeTag: OSCTimeTag? { context.timeTag }
  /// The time of its arrival, by the kernel's stamp; for a connection, the time when it was read.
  public var arrival: HostTime { context.arrival }
  /// The time at which the message takes effect: its time tag, or its arrival if it has none.
  public var time: HostTime { context.time }
  /// Whether it came by a TCP connection.
  public var isFromStream: Bool { context.peer.stream != 0 }

  private let context: NetContext

  @usableFromInline package init(_ values: NetValues, _ context: NetContext) {
    address = values.address
    arguments = values.view.arguments
    self.context = context
  }

  /// Sends an answer to the sender: from the port to which the message came, or on its connection.
  ///
  /// - Throws: `NetError`.
  /// - Thread: any but the audio callback.
  public func reply(_ address: String, _ values: any OSCValue...) throws {
    try context.server.outbound.reply(.message(OSCMessage(address, values: values)), to: context.peer)
  }

  /// Sends a packet to the sender, as `reply(_:_:)` does.
  public func reply(_ packet: OSCPacket) throws {
    try context.server.outbound.reply(packet, to: context.peer)
  }
}
