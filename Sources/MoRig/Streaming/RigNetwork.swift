import MoNetwork
import MoOSC
import MoTime

/// What a rig needs of the network.
protocol RigNetwork: Sendable {
  /// Sends without waiting for a name.
  func send(_ message: OSCMessage, measured: HostTime?, to target: String) throws(NetError)
  /// Looks a target's name up, waiting as long as it takes.
  func find(_ target: String) throws(NetError)
}

/// The network itself.
struct OpenNetwork: RigNetwork {
  func send(_ message: OSCMessage, measured: HostTime?, to target: String) throws(NetError) {
    let packet: OSCPacket =
      measured.map { .bundle(OSCBundle(MoNet.timeTag(of: $0), messages: [message])) } ?? .message(message)
    do {
      try MoNet.send(packet, to: target)
    } catch let error as NetError {
      throw error
    } catch {
      throw .system("\(error)")
    }
  }

  func find(_ target: String) throws(NetError) { try MoNet.find(target) }
}
