import MoCore

/// What the network and a target's machine have said of a link since it was last asked.
package struct NetLinkEvent: Sendable {
  /// What the kernel knows of the target's machine, where it is on the same network.
  package enum Neighbour: Sendable, Equatable {
    /// Nothing is known: the way goes through a router, or nothing was sent yet.
    case unknown
    /// It last answered so many seconds ago.
    case answers(secondsAgo: Double)
    /// It is being asked, and has not answered yet.
    case asked
    /// It does not answer.
    case silent
  }

  /// What has become of a connection.
  package enum Connection: Sendable, Equatable {
    case open
    /// It is closed, or could not be made, for this reason.
    case closed(reason: String)
  }

  /// Datagrams that came back because no program listens on the port.
  package var refused = 0
  /// Datagrams that came back because the machine was not found.
  package var unreachable = 0
  /// The kernel's table of neighbours.
  package var neighbour = Neighbour.unknown
  /// Of a connection; nil for datagrams, and while one is being made for the first time.
  package var connection: Connection?
  /// Messages that a connection took and the other end never acknowledged.
  package var unacknowledged = 0
  /// Messages that a connection took, and that the other end has not acknowledged yet.
  package var pending = 0
  /// When the other end of a connection last acknowledged anything, also of one that is closed now; nil before the first.
  package var acknowledged: HostTime?
  /// How often a connection has been made.
  package var connections = 0
  /// Packets that came back from the target.
  package var packets: [[UInt8]] = []

  package init() {}
}
