import MoCore
import MoOSC

/// A received message, with its sender and its times.
public struct NetMessage: Sendable {
  /// The address to which the message was sent; the pattern if the sender used a pattern.
  public let address: String
  /// The values of the message.
  public let arguments: [OSCArgument]
  /// The address of the message's sender.
  public var sender: NetAddress { context.peer.address }
  /// The time tag of the message's bundle; nil if there was no bundle, or if the time tag means "immediately".
  public var timeTag: OSCTimeTag? { context.timeTag }
  /// The time at which the message arrived, as stamped by the kernel; over TCP, the time at which it was read.
  public var arrival: HostTime { context.arrival }
  /// The time at which the message takes effect: its time tag, or its arrival if it has no time tag.
  public var time: HostTime { context.time }
  /// Whether the message came over a TCP connection.
  public var isFromStream: Bool { context.peer.stream != 0 }
  /// The number of the message's bytes, without its bundle.
  var length: Int { context.length }

  private let context: NetContext

  @usableFromInline package init(_ values: NetValues, _ context: NetContext) {
    address = values.address
    arguments = values.view.arguments
    self.context = context
  }

  /// Sends an answer to the sender: from the UDP port that received the message, or on the message's TCP connection.
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

/// The sender of a received packet, and the way to send an answer: a datagram, or a TCP connection.
package struct NetPeer: Hashable, Sendable {
  package var address: NetAddress
  /// The number of the TCP connection; 0 for datagrams.
  package var stream: UInt32 = 0

  package init(address: NetAddress, stream: UInt32 = 0) {
    self.address = address
    self.stream = stream
  }
}
