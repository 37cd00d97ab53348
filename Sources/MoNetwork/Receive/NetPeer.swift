/// The other end of a packet, and the way back to it.
package struct NetPeer: Hashable, Sendable {
  package var address: NetAddress
  /// The number of the connection; 0 for a datagram.
  package var stream: UInt32 = 0

  package init(address: NetAddress, stream: UInt32 = 0) {
    self.address = address
    self.stream = stream
  }
}
