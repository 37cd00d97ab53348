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
