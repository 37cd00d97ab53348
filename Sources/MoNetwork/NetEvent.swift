/// An event on the network other than a message.
public enum NetEvent: Sendable, Equatable {
  /// The program listens on this port from now on.
  case listening(port: Int)
  /// Interfaces or addresses appeared or disappeared; the multicast groups have been joined again.
  case interfacesChanged
  /// A TCP connection was made, by either side.
  case connected(NetAddress)
  /// A TCP connection ended.
  case disconnected(NetAddress, reason: String)
  /// The network reports that a packet did not arrive.
  case undelivered(NetAddress, reason: String)
  /// A message that was to be sent in the background could not be sent.
  case failed(target: String, NetError)
}
