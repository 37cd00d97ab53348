import MoNetwork

/// What a rig needs of the network.
protocol RigNetwork: Sendable {
  /// Sends a packet without waiting for a name.
  func send(_ packet: UnsafeRawBufferPointer, to target: String) throws(NetError)
  /// Looks a target's name up, waiting as long as it takes.
  func find(_ target: String) throws(NetError)
}

/// The network itself.
struct OpenNetwork: RigNetwork {
  func send(_ packet: UnsafeRawBufferPointer, to target: String) throws(NetError) {
    try MoNet.send(bytes: packet, to: target)
  }

  func find(_ target: String) throws(NetError) { try MoNet.find(target) }
}
