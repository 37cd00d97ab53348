import MoCore
import MoNetwork
import MoOSC
import Synchronization

/// A server without sockets, on a manual clock, and the messages that its callbacks received.
final class OfflineNetServer: Sendable {
  let clock = ManualClock(HostTime(seconds: 1000))
  let server = NetServer()
  let messages = Locked<[String]>([])
  let warnings = Locked<[String]>([])
  /// The wall clock at host time 0: 21 November 2026, 12:00 UTC.
  static let wallStart: Int64 = 1_795_262_400_000_000_000

  let wall = ManualNetClock()

  /// A wall clock that the test sets.
  final class ManualNetClock: NetClock {
    let offset = Atomic<Int64>(OfflineNetServer.wallStart)

    func wallOffset() -> Int64 { offset.load(ordering: .relaxed) }
  }

  init() { server.inbound.use(clock: clock, wall: wall) }

  /// Returns the time tag of a moment a number of seconds from now.
  func tag(in seconds: Double) -> OSCTimeTag {
    OSCTimeTag(
      nanosecondsSince1970: clock.now.advanced(bySeconds: seconds).nanoseconds + Self.wallStart)
  }

  /// Makes a packet arrive now.
  func arrive(_ packet: OSCPacket, from host: String = "192.168.0.7", port: Int = 57120) throws {
    let bytes = try packet.encoded()
    arrive(bytes: bytes, from: host, port: port)
  }

  func arrive(bytes: [UInt8], from host: String = "192.168.0.7", port: Int = 57120) {
    let sender = NetPeer(address: NetAddress(ip: host, port: port)!)
    bytes.withUnsafeBytes { bytes in
      server.inbound.withDispatcher { $0.accept(bytes, from: sender, at: clock.now) }
    }
  }

  func deliver() { server.inbound.deliver(for: server) }

  /// Records a text.
  func record(_ text: String) { messages.withLock { $0.append(text) } }

  /// Returns the texts since the last call.
  func popMessages() -> [String] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }

  var counts: NetCounts { server.statistics.counts }

  /// Whether every received message is in one of the other counts.
  var isBalanced: Bool {
    let counts = counts
    return counts.received
      == counts.dispatched + counts.unmatched + counts.mismatched + counts.dropped + server.statistics.waiting
  }

  /// Adds a callback that records address and values.
  @discardableResult
  func listen(
    _ pattern: String, _ policy: NetPolicy = .every, late: NetLate = .play, isAhead: Bool = false
  ) -> MoToken {
    on(pattern, policy, late, isAhead: isAhead) { [self] values, context in
      let message = NetMessage(values, context)
      record(
        "\(message.address) \(message.arguments.map { $0.number.map { "\($0)" } ?? "-" }.joined(separator: " "))"
      )
      return .taken
    }
  }

  /// Adds a callback without opening a socket for it.
  @discardableResult
  func on(
    _ pattern: String, _ policy: NetPolicy = .every, _ late: NetLate = .play, isAhead: Bool = false,
    _ body: @escaping NetMethod.Body
  ) -> MoToken {
    guard let read = try? OSCAddressPattern(pattern) else { preconditionFailure("no pattern: \(pattern)") }
    return server.inbound.add(
      NetMethod(read, policy: policy, late: late, isAhead: isAhead, wants: "anything", body))
  }
}
