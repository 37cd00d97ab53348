import MoCore
import MoNetwork
import MoOSC
import MoRuntime
import Synchronization

/// A server that listens on a free port of this machine, and the messages it received.
final class Wire: Sendable {
  let server = NetServer()
  let run = Run(RunOptions())
  let port: Int
  private let signal = WakeEvent()
  private let heard = Locked<[NetMessage]>([])

  init() throws {
    try server.listen(port: 0, in: run)
    port = server.port ?? 0
  }

  deinit { server.stop() }

  /// Listens for connections on an unused port.
  func listenTCP() throws -> Int {
    var port = RawConnection.Listener().port
    // Another test may take the port first.
    for _ in 0..<20 where (try? server.listenTCP(port: port, in: run)) == nil {
      port = RawConnection.Listener().port
    }
    try server.listenTCP(port: port, in: run)
    return port
  }

  /// Adds a callback that keeps every message for a pattern.
  @discardableResult
  func keep(_ pattern: String, _ policy: NetPolicy = .every) -> MoToken {
    on(pattern, policy) { values, context in
      let message = NetMessage(values, context)
      self.heard.withLock { $0.append(message) }
      self.signal.raise()
      return .taken
    }
  }

  @discardableResult
  func on(_ pattern: String, _ policy: NetPolicy = .every, _ body: @escaping NetMethod.Body) -> MoToken {
    guard let read = try? OSCAddressPattern(pattern) else { preconditionFailure("no pattern: \(pattern)") }
    return server.inbound.add(
      NetMethod(read, policy: policy, late: .play, isAhead: false, wants: "anything", body))
  }

  /// Waits until a number of messages have been kept, with a long timeout, so that a failure ends.
  func wait(for count: Int) -> [NetMessage] {
    wait { self.heard.withLock { $0.count } >= count }
    return heard.withLock { $0 }
  }

  /// Waits until a condition is true; returns false after a timeout.
  @discardableResult
  func wait(until isSo: () -> Bool) -> Bool {
    for _ in 0..<3000 {
      if isSo() { return true }
      signal.wait(for: .milliseconds(10))
    }
    return isSo()
  }

  func send(_ address: String, _ values: any OSCValue..., to target: String) throws {
    try server.outbound.send(.message(OSCMessage(address, values: values)), to: target)
  }

  func send(_ message: OSCMessage, to target: String) throws {
    try server.outbound.send(.message(message), to: target)
  }
}
