import MoCore

/// The reports of the network and of the target's machine about a `NetLink` since the last call of `look`.
package struct NetLinkEvent: Sendable {
  /// The knowledge that this machine's kernel has of the target's machine, if both machines are on the same network.
  package enum Neighbour: Sendable, Equatable {
    /// Nothing is known: the path goes through a router, or nothing was sent yet.
    case unknown
    /// The machine last answered the given number of seconds ago.
    case answers(secondsAgo: Double)
    /// The kernel has asked the machine for its hardware address, and has no answer yet.
    case asked
    /// The machine did not answer the kernel's requests for its hardware address.
    case silent
  }

  /// The state of a TCP connection.
  package enum Connection: Sendable, Equatable {
    case open
    /// The connection is closed or could not be made, with the reason.
    case closed(reason: String)
  }

  /// The number of datagrams that the target's machine refused, because no program listens on the port.
  package var refused = 0
  /// The number of datagrams that the network reported as undeliverable, because the target's machine could not be
  /// reached.
  package var unreachable = 0
  /// The state of the target's machine in the kernel's table of neighbours (ARP or NDP).
  package var neighbour = Neighbour.unknown
  /// The state of the TCP connection; nil for a UDP target, and during the first attempt to connect.
  package var connection: Connection?
  /// The number of messages that a connection accepted and that surely did not arrive: this machine's kernel had not
  /// sent them, or the other end had closed the connection.
  package var lost = 0
  /// The number of messages that a connection sent, and that were not acknowledged when the connection failed, such as
  /// by a timeout: each of them either arrived or is lost.
  package var doubtful = 0
  /// The number of messages that a connection accepted and the other end has not acknowledged yet.
  package var pending = 0
  /// The time of the last acknowledgement on a connection to the target, even if this connection is closed now; nil
  /// before the first acknowledgement.
  package var acknowledged: HostTime?
  /// The number of TCP connections to the target that were made so far.
  package var connections = 0
  /// The packets that the target has sent back.
  package var packets: [[UInt8]] = []

  package init() {}
}
