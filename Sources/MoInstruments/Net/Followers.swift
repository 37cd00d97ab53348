import MoMu
import MoOSC

/// Those that are told what an instrument's parameters are set to, and only what changed.
///
/// Each is told for ten seconds after it asked last, 20 times a second at most; sixteen have room. A datagram may bear the
/// address of another, who must not get more than twice what was sent in its name. So what is longer than that is told only
/// to an address that has returned the key that was sent there.
final class Followers: EventSource, @unchecked Sendable {
  // Unchecked: `told` and `due` belong to the thread that services; the rest is guarded.
  private struct Follower {
    var address: NetAddress
    var until: HostTime
    /// What it is to be told, a bit for each parameter.
    var pending = UInt64.max
  }

  let name = "followers"
  let descriptor: Int32? = nil
  var nextTime: HostTime? { all.withLock { $0.isEmpty } ? nil : due }
  private let handle: InstrumentHandle
  private let base: String
  private let send: @Sendable (OSCPacket, NetAddress) -> Void
  private let all = Locked<[Follower]>([])
  /// Who was answered a moment ago.
  private let answered = Locked<[(sender: NetAddress, time: HostTime)]>([])
  private let secret = UInt64.random(in: .min ... .max)
  private var told: [Float]
  private var due: HostTime

  private static let most = 16
  private static let patience = Duration.seconds(10)
  private static let period = Duration.milliseconds(50)

  /// - Parameter send: tells somebody; left out, by MoNet.
  init(
    _ handle: InstrumentHandle, base: String,
    send: @escaping @Sendable (OSCPacket, NetAddress) -> Void = { try? MoNet.send($0, to: $1) }
  ) {
    self.handle = handle
    self.base = base
    self.send = send
    told = handle.parameters.indices.map { handle.value($0) }
    due = Run.current.clock.now
  }

  /// Tells an address from now on, once it has shown that it hears; else tells it the key to show.
  ///
  /// - Parameters:
  ///   - port: where the sender wants to be told.
  ///   - key: the one that it was told; nil for none.
  ///   - isProven: whether it hears what is sent there, as a connection does.
  func add(
    _ sender: NetAddress, port: Int32, key: Int32? = nil, isProven: Bool = false,
    at now: HostTime = Run.current.clock.now
  ) {
    guard (1...65_535).contains(port) else { return }
    let address = sender.with(port: Int(port))
    guard isProven || isKnown(address, by: key) else { return tellKey(to: address, at: now) }
    let until = now + Self.patience
    all.withLock { all in
      if let index = all.firstIndex(where: { $0.address == address }) {
        all[index].until = until
      } else if all.count < Self.most {
        all.append(Follower(address: address, until: until))
      }
    }
    Run.current.input.lookAgain()
  }

  /// Whether an address has shown that it hears what is sent there: this very machine's cannot be forged from outside.
  func isKnown(_ address: NetAddress, by key: Int32?) -> Bool {
    address.isLoopback || key == self.key(for: address)
  }

  /// Tells an address what to show.
  func tellKey(to address: NetAddress, at now: HostTime) {
    guard mayAnswer(address, at: now) else { return }
    send(.message(OSCMessage("\(base)/follow", values: [key(for: address)])), address)
  }

  /// What somebody there has to say to be told more often: only who hears there knows it.
  func key(for address: NetAddress) -> Int32 {
    var hasher = Hasher()
    hasher.combine(secret)
    hasher.combine("\(address)")
    return Int32(truncatingIfNeeded: hasher.finalize() & 0x7FFF_FFFF)
  }

  /// Answers a question whose answer is longer: to a sender that gives its key, or comes by a connection.
  func answer(_ message: NetMessage, with packet: () -> OSCPacket?) {
    let now = Run.current.clock.now
    let key = message.arguments.first.flatMap { Int32(osc: $0) }
    guard message.isFromStream || isKnown(message.sender, by: key) else {
      return tellKey(to: message.sender, at: now)
    }
    guard mayAnswer(message.sender, at: now), let packet = packet() else { return }
    try? message.reply(packet)
  }

  /// Whether a sender may be answered: each 20 times a second, and sixteen of them.
  ///
  /// An answer is longer than the question, and who asks may bear the address of another.
  func mayAnswer(_ sender: NetAddress, at now: HostTime) -> Bool {
    answered.withLock { answered in
      answered.removeAll { $0.time + Self.period <= now }
      guard answered.count < Self.most, !answered.contains(where: { $0.sender == sender }) else {
        return false
      }
      answered.append((sender, now))
      return true
    }
  }

  /// How some parameters are set, in one bundle.
  func bundle(_ indices: [Int]) -> OSCPacket {
    .bundle(
      OSCBundle(
        .immediate,
        messages: indices.map {
          OSCMessage("\(base)/\(handle.parameters[$0].name)", values: [handle.value($0)])
        }))
  }

  func service(until now: HostTime) {
    guard now >= due else { return }
    due = now + Self.period
    let every = handle.parameters.indices
    var changed: UInt64 = 0
    for index in every where handle.value(index) != told[index] {
      told[index] = handle.value(index)
      changed |= 1 << UInt64(index & 63)
    }
    let letters = all.withLock { all in
      all.removeAll { $0.until <= now }
      return all.indices.compactMap { index -> (OSCPacket, NetAddress)? in
        let pending = all[index].pending | changed
        all[index].pending = 0
        guard pending != 0 else { return nil }
        return (bundle(every.filter { pending >> UInt64($0 & 63) & 1 != 0 }), all[index].address)
      }
    }
    for (packet, address) in letters { send(packet, address) }
  }
}
