/// The other end of what came, and the way back to it.
struct NetPeer: Hashable, Sendable {
  var address: NetAddress
  /// The connection it came by; 0 for a datagram.
  var stream: UInt32 = 0
}
