/// A datagram to send.
package struct Outgoing: Hashable, Sendable {
  /// Where a datagram goes.
  package enum Destination: Hashable, Sendable {
    /// To the session's multicast group, once on each interface: by IPv4 if the interface has it, else by IPv6.
    case multicast
    /// To the same group by IPv6, on those interfaces that have IPv4, too.
    case multicastIPv6
    /// The same, of what is played: for members who are here already.
    case members
    /// To the broadcast address of every network.
    case broadcast
    /// To one program.
    case one(SessionEndpoint)
  }

  /// Where it goes.
  package var destination: Destination
  /// What it says.
  package var datagram: [UInt8]

  /// A datagram and where it goes.
  package init(destination: Destination, datagram: [UInt8]) {
    (self.destination, self.datagram) = (destination, datagram)
  }
}
