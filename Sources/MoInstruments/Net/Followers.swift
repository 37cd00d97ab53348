import MoMu
import MoOSC

/// Those that are told what an instrument's parameters are set to: 20 times a second at most, and only what changed.
///
/// Whoever asks is told for ten seconds, so that those who have gone are forgotten; sixteen at a time.
final class Followers: InputSource, @unchecked Sendable {
  // Unchecked: `told` and `due` belong to the thread that services; `all` is guarded.
  private struct Follower {
    var address: NetAddress
    var until: HostTime
    var isNew: Bool
  }

  let name = "followers"
  let descriptor: Int32? = nil
  var nextTime: HostTime? { all.withLock { $0.isEmpty } ? nil : due }
  private let handle: InstrumentHandle
  private let base: String
  private let all = Guarded<[Follower]>([])
  /// Who was answered a moment ago.
  private let answered = Guarded<[(sender: NetAddress, time: HostTime)]>([])
  private var told: [Float]
  private var due: HostTime

  private static let most = 16
  private static let patience = Duration.seconds(10)
  private static let period = Duration.milliseconds(50)

  init(_ handle: InstrumentHandle, base: String) {
    self.handle = handle
    self.base = base
    told = handle.parameters.indices.map { handle.value($0) }
    due = Run.current.clock.now
  }

  /// Tells somebody from now on, at the port that was named.
  func add(_ sender: NetAddress, port: Int32) {
    guard (1...65_535).contains(port) else { return }
    let address = sender.with(port: Int(port))
    let until = Run.current.clock.now + Self.patience
    all.withLock { all in
      if let index = all.firstIndex(where: { $0.address == address }) {
        all[index].until = until
      } else if all.count < Self.most {
        all.append(Follower(address: address, until: until, isNew: true))
      }
    }
    Run.current.input.lookAgain()
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

  /// How some parameters are set.
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
    let followers = all.withLock { all in
      all = all.filter { $0.until > now }
      defer { for index in all.indices { all[index].isNew = false } }
      return all
    }
    let every = Array(handle.parameters.indices)
    var changed: [Int] = []
    for index in every where handle.value(index) != told[index] {
      told[index] = handle.value(index)
      changed.append(index)
    }
    for follower in followers where follower.isNew || !changed.isEmpty {
      try? MoNet.send(bundle(follower.isNew ? every : changed), to: follower.address)
    }
  }
}
