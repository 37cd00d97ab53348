import MoNetwork
import MoOSC
import MoProgram
import MoRealTime
import MoTime

/// Somebody whom a rig sends to: tried again for ever, complained of once.
///
/// - Thread: any.
final class RigTarget: Sendable {
  let name: String
  private let network: any RigNetwork
  private let log: @Sendable (MoLog.Level, String) -> Void
  private let state = Guarded(State())

  private struct State {
    var sent = 0
    var unsent = 0
    /// Whether its name has been found: until then nothing is sent, so that nothing old waits to be.
    var isFound = false
    /// Since when it cannot be reached.
    var failing: HostTime?
    var lookedUp = HostTime.distantPast
  }

  /// How often a name that is not found is looked for, and one that is found looked up anew, in seconds: machines
  /// get other addresses.
  private static let (search, renewal) = (2.0, 60.0)

  /// - Parameter log: told when it can be reached no more, and when it can again.
  init(
    _ name: String, on network: any RigNetwork,
    log: @escaping @Sendable (MoLog.Level, String) -> Void = { MoLog.log($0, $1) }
  ) {
    self.name = name
    self.network = network
    self.log = log
  }

  /// What was sent, and what could not be.
  var counts: (sent: Int, unsent: Int) { state.withLock { ($0.sent, $0.unsent) } }

  /// Sends a packet, without waiting.
  func send(_ packet: UnsafeRawBufferPointer, now: HostTime) {
    guard isFound() else { return }
    do throws(NetError) {
      try network.send(packet, to: name)
      let since = state.withLock { state in
        state.sent += 1
        defer { state.failing = nil }
        return state.failing
      }
      if let since {
        log(.notice, "\(name) is reached again, after \(Int(now.seconds(since: since))) s.")
      }
    } catch {
      fail(error, now)
    }
  }

  /// Counts a message that cannot be sent to anybody.
  func refuse(_ error: OSCError, now: HostTime) {
    if isFound() { fail(.unsendable(error), now) }
  }

  /// Whether its name has been found; what is for one that has not counts as not sent.
  private func isFound() -> Bool {
    state.withLock { state in
      if !state.isFound { state.unsent += 1 }
      return state.isFound
    }
  }

  /// Looks the name up where that is due; it may wait for long.
  func look(now: HostTime) {
    let isDue = state.withLock { state in
      let pause = state.isFound ? RigTarget.renewal : RigTarget.search
      guard state.lookedUp == .distantPast || now.seconds(since: state.lookedUp) >= pause else {
        return false
      }
      state.lookedUp = now
      return true
    }
    guard isDue else { return }
    do throws(NetError) {
      try network.find(name)
      state.withLock { $0.isFound = true }
    } catch {
      // Whom we found once is tried on where he was.
      if !state.withLock({ $0.isFound }) { fail(error, now, counts: false) }
    }
  }

  private func fail(_ error: NetError, _ now: HostTime, counts: Bool = true) {
    let isNew = state.withLock { state in
      if counts { state.unsent += 1 }
      defer { state.failing = state.failing ?? now }
      return state.failing == nil
    }
    if isNew { log(.warning, "\(name) cannot be reached, and is tried again: \(error)") }
  }
}
