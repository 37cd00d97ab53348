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
  var nextTime: HostTime? { due }
  private let handle: InstrumentHandle
  private let base: String
  private let all = Guarded<[Follower]>([])
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
  }

  /// Tells whoever asked how everything is set.
  func answer(_ message: NetMessage) {
    for index in handle.parameters.indices {
      try? message.reply("\(base)/\(handle.parameters[index].name)", handle.value(index))
    }
  }

  func service(until now: HostTime) {
    guard now >= due else { return }
    due = now + Self.period
    let followers = all.withLock { all in
      all = all.filter { $0.until > now }
      defer { for index in all.indices { all[index].isNew = false } }
      return all
    }
    for index in handle.parameters.indices {
      let value = handle.value(index)
      let isChanged = value != told[index]
      told[index] = value
      for follower in followers where isChanged || follower.isNew {
        try? MoNet.send("\(base)/\(handle.parameters[index].name)", value, to: follower.address)
      }
    }
  }
}
