import MoCore
import MoNetwork
import MoOSC
import MoRuntime

/// The UDP port on which messages for outputs come in.
///
/// It answers nothing, so that no packet has it send to any machine. A packet that is no OSC, and a message for no
/// output, are dropped.
///
/// - Thread: the one that services the inputs.
final class OutputPort: EventSource, @unchecked Sendable {
  // Unchecked: the input loop calls one thing at a time.
  let name: String
  let descriptor: Int32?
  private let port: NetPort
  private let outputs: @Sendable () -> [OutputDriver]
  private var bytes = [UInt8](repeating: 0, count: 65_536)

  /// How many datagrams are read before others have their turn.
  private static let most = 64
  /// How deep bundles may lie in each other.
  private static let deepest = 8

  /// - Parameter outputs: those that are set now.
  init(_ port: NetPort, _ outputs: @escaping @Sendable () -> [OutputDriver]) {
    self.port = port
    self.outputs = outputs
    name = "outputs:\(port.port)"
    descriptor = port.descriptor
  }

  let nextTime: HostTime? = nil

  func service(until now: HostTime) {
    let outputs = outputs()
    for _ in 0..<Self.most {
      guard let (count, sender) = port.next(into: &bytes) else { return }
      guard let packet = try? OSCPacket(bytes: Array(bytes[..<count])) else { continue }
      Self.take(packet, from: sender, outputs, now)
    }
  }

  /// Gives messages to the outputs that they are for; a bundle's take effect as it arrives.
  static func take(
    _ packet: OSCPacket, from sender: NetAddress, _ outputs: [OutputDriver], _ now: HostTime, depth: Int = 0
  ) {
    switch packet {
    case .message(let message):
      guard let pattern = try? OSCAddressPattern(message.address) else { return }
      for output in outputs where pattern.matches(output.plan.address) {
        output.take(message.arguments, from: sender, now: now)
      }
    case .bundle(let bundle):
      guard depth < deepest else { return }
      for element in bundle.elements { take(element, from: sender, outputs, now, depth: depth + 1) }
    }
  }
}

/// Has outputs do what is due without a message.
///
/// - Thread: the one that services the inputs.
final class OutputClock: EventSource, Sendable {
  let name = "output-clock"
  let descriptor: Int32? = nil
  private let outputs: @Sendable () -> [OutputDriver]

  init(_ outputs: @escaping @Sendable () -> [OutputDriver]) { self.outputs = outputs }

  var nextTime: HostTime? { outputs().compactMap(\.nextTime).min() }

  func service(until now: HostTime) {
    for output in outputs() { output.service(until: now) }
  }
}
