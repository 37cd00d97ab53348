/// Something that happened on the network apart from messages.
public enum NetEvent: Sendable, Equatable {
  /// Messages come in by this port from now on.
  case listening(port: Int)
  /// Interfaces or addresses came or went; groups have been joined again.
  case interfacesChanged
  /// A TCP connection was made, by either side.
  case connected(NetAddress)
  /// A TCP connection ended.
  case disconnected(NetAddress, reason: String)
  /// The network reports that a packet did not arrive.
  case undelivered(NetAddress, reason: String)
  /// Something that was to be sent in the background could not be.
  case failed(target: String, NetError)
}
