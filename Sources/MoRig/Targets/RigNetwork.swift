import MoCore
import MoNetwork

/// The network of a rig; tests replace it by a simulated network.
package protocol RigNetwork: Sendable {
  /// Creates a link to a target, such as `192.168.0.7:9000`.
  func link(to target: String) throws(NetError) -> any RigLink
}

/// A link to a single target, over UDP or TCP.
package protocol RigLink: Sendable {
  /// Looks up the target's name, and blocks until the answer.
  func find() throws(NetError)
  /// Passes a packet to the kernel without blocking; if `send` throws an error, the packet is certainly lost.
  func send(_ packet: UnsafeRawBufferPointer) throws(NetError)
  /// Returns the reports of the network and of the target's machine since the last call.
  func poll(now: HostTime) -> NetLinkEvent
  /// Closes the socket, and returns how many messages a TCP connection has not delivered.
  @discardableResult
  func close() -> NetLinkEvent
}

/// The network of this machine.
struct OpenNetwork: RigNetwork {
  func link(to target: String) throws(NetError) -> any RigLink { try NetLink(target) }
}

extension NetLink: RigLink {}
