import MoCore
import MoNetwork
import MoRuntime

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
  mutating func tend(
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
