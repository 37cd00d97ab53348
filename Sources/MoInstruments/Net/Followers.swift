import MoMu
import MoOSC

/// Those that are told what an instrument's parameters are set to, and only what changed.
///
/// Whoever asks is told for ten seconds, so that those who have gone are forgotten. Who asks may bear the address of
/// another, who would then get what he never asked for. So one that has not shown that it hears is told twice a second,
/// and all of them together eight times; with the first of it comes a key, and who asks with that key is told 20 times a second.
/// Sixteen have room.
final class Followers: InputSource, @unchecked Sendable {
  // Unchecked: `told`, `due` and `toldUnknown` belong to the thread that services; the rest is guarded.
  private struct Follower {
    var address: NetAddress
    var until: HostTime
    var hasKey: Bool
    /// What it is to be told, a bit for each parameter, and not before when.
    var pending = UInt64.max
    var next = HostTime.distantPast
    /// Whether it was told its key.
    var isGreeted = false
  }

  let name = "followers"
  let descriptor: Int32? = nil
  var nextTime: HostTime? { all.withLock { $0.isEmpty } ? nil : due }
  private let handle: InstrumentHandle
  private let base: String
  private let send: @Sendable (OSCPacket, NetAddress) -> Void
  private let all = Guarded<[Follower]>([])
  /// Who was answered a moment ago.
  private let answered = Guarded<[(sender: NetAddress, time: HostTime)]>([])
  private let secret = UInt64.random(in: .min ... .max)
  private var told: [Float]
  private var due: HostTime
  /// When those without a key were told, of late.
  private var toldUnknown: [HostTime] = []

  private static let most = 16
  private static let mostUnknown = 4
  private static let patience = Duration.seconds(10)
  private static let period = Duration.milliseconds(50)
  private static let slowPeriod = Duration.milliseconds(500)

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

  /// Tells somebody from now on, at the port that was named.
  ///
  /// - Parameter key: the one that it was told; nil for none.
  func add(_ sender: NetAddress, port: Int32, key: Int32? = nil, at now: HostTime = Run.current.clock.now) {
    guard (1...65_535).contains(port) else { return }
    let address = sender.with(port: Int(port))
    let hasKey = key == self.key(for: address)
    let until = now + Self.patience
    all.withLock { all in
      if let index = all.firstIndex(where: { $0.address == address }) {
        all[index].until = until
        all[index].hasKey = all[index].hasKey || hasKey
        return
      }
      let unknown = all.indices.filter { !all[$0].hasKey }
      if !hasKey, unknown.count == Self.mostUnknown {
        // The one that has been here longest.
        all.remove(at: unknown[0])
      } else if all.count == Self.most {
        // One that is known is not kept out by one that is not.
        guard hasKey, let place = unknown.first else { return }
        all.remove(at: place)
      }
      all.append(Follower(address: address, until: until, hasKey: hasKey))
    }
    Run.current.input.lookAgain()
  }

  /// What somebody there has to say to be told more often: only who hears there knows it.
  func key(for address: NetAddress) -> Int32 {
    var hasher = Hasher()
    hasher.combine(secret)
    hasher.combine("\(address)")
    return Int32(truncatingIfNeeded: hasher.finalize() & 0x7FFF_FFFF)
  }

  /// Tells whoever asked how everything is set, in one bundle.
  func answer(_ message: NetMessage) {
    guard mayAnswer(message.sender, at: Run.current.clock.now) else { return }
    try? message.reply(bundle(Array(handle.parameters.indices)))
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

  /// How some parameters are set, and the key for somebody who has not shown it.
  func bundle(_ indices: [Int], key: Int32? = nil) -> OSCPacket {
    var messages = indices.map {
      OSCMessage("\(base)/\(handle.parameters[$0].name)", values: [handle.value($0)])
    }
    if let key { messages.append(OSCMessage("\(base)/follow", values: [key])) }
    return .bundle(OSCBundle(.immediate, messages: messages))
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
    toldUnknown.removeAll { $0 + Self.slowPeriod <= now }
    let letters = all.withLock { all in
      all.removeAll { $0.until <= now }
      return all.indices.compactMap { index -> (OSCPacket, NetAddress)? in
        all[index].pending |= changed
        let follower = all[index]
        guard follower.pending != 0, follower.next <= now else { return nil }
        if !follower.hasKey {
          guard toldUnknown.count < Self.mostUnknown else { return nil }
          toldUnknown.append(now)
        }
        all[index].pending = 0
        all[index].next = now + (follower.hasKey ? Self.period : Self.slowPeriod)
        all[index].isGreeted = true
        let key = follower.hasKey || follower.isGreeted ? nil : key(for: follower.address)
        return (
          bundle(every.filter { follower.pending >> UInt64($0 & 63) & 1 != 0 }, key: key), follower.address
        )
      }
    }
    for (packet, address) in letters { send(packet, address) }
  }
}
