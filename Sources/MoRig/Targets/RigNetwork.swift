import MoCore
import MoNetwork

/// The functions of the network that a rig needs.
protocol RigNetwork: Sendable {
  /// Creates a link to a target.
  func link(to target: String) throws(NetError) -> any RigLink
}

/// A link to one target.
protocol RigLink: Sendable {
  /// Looks up the target's name, and blocks until the answer.
  func find() throws(NetError)
  /// Passes a packet to the kernel without blocking; if it throws, the packet is certainly lost.
  func send(_ packet: UnsafeRawBufferPointer) throws(NetError)
  /// Returns the reports of the network and of the target's machine since the last call.
  func look(now: HostTime) -> NetLinkEvent
  /// Closes the socket, and returns which messages of a connection did not arrive.
  @discardableResult
  func close() -> NetLinkEvent
}

/// The real network.
struct OpenNetwork: RigNetwork {
  func link(to target: String) throws(NetError) -> any RigLink { try NetLink(target) }
}

extension NetLink: RigLink {}
