import MoCore
import MoNetwork

/// What a rig needs of the network.
protocol RigNetwork: Sendable {
  /// A way to a target.
  func link(to target: String) throws(NetError) -> any RigLink
}

/// A way to one target.
protocol RigLink: Sendable {
  /// Looks the target's name up, waiting as long as it takes.
  func find() throws(NetError)
  /// Hands a packet to the kernel without waiting; what is thrown is lost for certain.
  func send(_ packet: UnsafeRawBufferPointer) throws(NetError)
  /// What the network has said since the last call.
  func look(now: HostTime) -> NetLinkEvent
  /// Closes the socket, and tells which messages of a connection did not arrive.
  @discardableResult
  func close() -> NetLinkEvent
}

/// The network itself.
struct OpenNetwork: RigNetwork {
  func link(to target: String) throws(NetError) -> any RigLink { try NetLink(target) }
}

extension NetLink: RigLink {}
