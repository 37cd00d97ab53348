import MoCore
import MoNetwork
import MoOSC
import MoRuntime

/// The UDP port that receives messages for outputs.
///
/// The port sends no answers, so no packet can make this machine send to another machine. The port drops packets that
/// are not OSC, and messages for no output.
///
/// - Thread: `mo-input`, which also reads the sensors; offline, the renderer's thread.
package final class OutputPort: EventSource, @unchecked Sendable {
  // Unchecked: the input loop calls one function at a time.
  package let name: String
  package let descriptor: Int32?
  package let keepsDescriptor = true
  private let port: NetPort
  private let outputs: @Sendable () -> [OutputDriver]
  private var bytes = [UInt8](repeating: 0, count: 65_536)

  /// The largest number of datagrams that are read before the event loop services its other sources.
  private static let most = 64
  /// The largest depth of nested bundles; deeper bundles are ignored.
  private static let deepest = 8

  /// - Parameter outputs: a function that returns the rig's present outputs.
  package init(_ port: NetPort, _ outputs: @escaping @Sendable () -> [OutputDriver]) {
    self.port = port
    self.outputs = outputs
    name = "outputs:\(port.port)"
    descriptor = port.descriptor
  }

  package let nextTime: HostTime? = nil

  package func service(until now: HostTime) {
    let outputs = outputs()
    for _ in 0..<Self.most {
      guard let (count, sender) = port.next(into: &bytes) else { return }
      guard let packet = try? OSCPacket(bytes: Array(bytes[..<count])) else { continue }
      Self.dispatch(packet, from: sender, outputs, now)
    }
  }

  /// Passes messages to the outputs that they address; messages of a bundle take effect immediately.
  package static func dispatch(
    _ packet: OSCPacket, from sender: NetAddress, _ outputs: [OutputDriver], _ now: HostTime, depth: Int = 0
  ) {
    switch packet {
    case .message(let message):
      guard let pattern = try? OSCAddressPattern(message.address) else { return }
      for output in outputs where pattern.matches(output.plan.address) {
        output.receive(message.arguments, from: sender, now: now)
      }
    case .bundle(let bundle):
      guard depth < deepest else { return }
      for element in bundle.elements { dispatch(element, from: sender, outputs, now, depth: depth + 1) }
    }
  }
}

/// The event source for work of outputs that no message starts, such as setting the safe value after contact was lost.
///
/// - Thread: `mo-input`, which also reads the sensors; offline, the renderer's thread.
final class OutputClock: EventTimer, Sendable {
  let name = "output-clock"
  private let outputs: @Sendable () -> [OutputDriver]

  init(_ outputs: @escaping @Sendable () -> [OutputDriver]) { self.outputs = outputs }

  var nextTime: HostTime? { outputs().compactMap(\.nextTime).min() }

  func service(until now: HostTime) {
    for output in outputs() { output.service(until: now) }
  }
}

/// The owner of the UDP port for messages to outputs: it opens the port, and tries again if the port is in use.
///
/// - Thread: any, but one at a time.
struct OutputReceiver {
  private(set) var ports: [OutputPort] = []
  private var wanted: Int?
  /// The reason why the last attempt to open the port failed; nil if the port is open, or not tried yet.
  private(set) var failure: String?
  private var nextTry = HostTime.distantPast
  private var pause = OutputReceiver.shortestPause

  /// The first and the longest pause between attempts to open the port, in seconds; each failure doubles the pause.
  private static let (shortestPause, longestPause) = (5.0, 300.0)

  /// Opens the port that a configuration names, and closes a port that the earlier configuration named.
  ///
  /// - Returns: the line to log when the port cannot be opened for a new reason, or can be opened again; nil for no
  ///   line.
  mutating func update(
    _ port: Int?, in run: Run, _ outputs: @escaping @Sendable () -> [OutputDriver]
  ) -> (MoLog.Level, String)? {
    if port != wanted {
      close(in: run)
      (wanted, failure, nextTry, pause) = (port, nil, .distantPast, Self.shortestPause)
    }
    guard let port, ports.isEmpty, run.clock.now >= nextTry else { return nil }
    do throws(NetError) {
      var opened = [try NetPort(port, isIPv6: false)]
      // Without IPv6 on this machine, the port receives IPv4 only.
      if let six = try? NetPort(opened[0].port, isIPv6: true) { opened.append(six) }
      ports = opened.map { OutputPort($0, outputs) }
      for port in ports { try? run.input.add(port) { _ in } }
      defer { failure = nil }
      return failure.map { _ in (.notice, "Outputs receive messages on port \(port) now.") }
    } catch {
      nextTry = run.clock.now.advanced(bySeconds: pause)
      pause = min(2 * pause, Self.longestPause)
      defer { failure = "\(error)" }
      return failure == "\(error)"
        ? nil : (.warning, "outputs receive no messages: \(error); the rig tries again")
    }
  }

  /// Closes the port.
  mutating func close(in run: Run) {
    for port in ports { run.input.remove(port) }
    ports = []
  }
}
