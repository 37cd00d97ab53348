import MoCore

/// The reports of the network and of the target's machine about a link since the last poll.
package struct NetLinkEvent: Sendable {
  /// The kernel's knowledge of the target's machine, if it is on the same network.
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

  /// The number of datagrams that came back because no program listens on the port.
  package var refused = 0
  /// The number of datagrams that came back because the machine was not found.
  package var unreachable = 0
  /// The state of the target's machine in the kernel's table of neighbours (ARP or NDP).
  package var neighbour = Neighbour.unknown
  /// The state of the connection; nil for datagrams, and during the first attempt to connect.
  package var connection: Connection?
  /// The number of messages that a connection accepted and that surely did not arrive: the kernel had not sent them, or
  /// the other end had closed the connection.
  package var lost = 0
  /// The number of messages that a connection sent before it timed out, and that were not acknowledged: each arrived or
  /// is lost.
  package var doubtful = 0
  /// The number of messages that a connection accepted and the other end has not acknowledged yet.
  package var pending = 0
  /// The time of the last acknowledgement on a connection, even if it is closed now; nil before the first.
  package var acknowledged: HostTime?
  /// The number of connections made so far.
  package var connections = 0
  /// The packets that the target has sent back.
  package var packets: [[UInt8]] = []

  package init() {}
}
