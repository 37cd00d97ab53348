import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

extension VirtualOrchestra {
  func conductor(_ index: Int) -> MemberID? { core(index).conductor(at: host(index)) }
  func isPlaying(_ index: Int) -> Bool { core(index).beatClock.isPlaying(at: host(index)) }

  /// The present members that keep the clock, by their own reports.
  var keepers: [Int] { members.indices.filter { members[$0].core?.isKeeper == true } }

  /// Returns the spread of beats, in milliseconds.
  func beatSpread(_ indices: [Int]) -> Double? {
    let beats = indices.compactMap { beat($0) }
    guard beats.count == indices.count, let least = beats.min(), let most = beats.max(),
      let tempo = members[indices[0]].tempo(atNanoseconds: now)
    else { return nil }
    return (most - least) * 60_000 / tempo
  }

  func refusal(_ index: Int, _ request: (inout SessionCore, HostTime) throws(SessionRefusal) -> Void)
    -> SessionRefusal?
  {
    var copy = core(index)
    do throws(SessionRefusal) { try request(&copy, host(index)) } catch { return error }
    return nil
  }
}

extension VirtualOrchestra {
  /// Returns the names of members that have not confirmed a member's last call for silence; nil before it has ended.
  func unconfirmed(_ index: Int) -> [String]? {
    for happening in members[index].events.reversed() {
      if case .panicEnded(let unconfirmed) = happening.event { return unconfirmed.map(\.name) }
    }
    return nil
  }
}

extension SessionRefusal? {
  /// Whether a closed gate is the reason.
  var isClosed: Bool { if case .closed = self { true } else { false } }
}

/// Observes beats, and stores the largest jump against the tempo.
struct Watch {
  private var last: [Int: (time: Int64, beat: Double)] = [:]
  /// In milliseconds, forwards or back.
  private(set) var jump = 0.0
  private(set) var hasFallenBack = false

  /// Forgets a member that has just come back.
  mutating func forget(_ index: Int) { last[index] = nil }

  mutating func check(in orchestra: VirtualOrchestra, _ indices: [Int]) {
    for index in indices {
      guard let beat = orchestra.beat(index),
        let tempo = orchestra.members[index].tempo(atNanoseconds: orchestra.now)
      else { continue }
      if let before = last[index] {
        let due = Double(orchestra.now - before.time) * 1e-9 * tempo / 60
        jump = max(jump, abs(beat - before.beat - due) * 60_000 / tempo)
        if beat < before.beat { hasFallenBack = true }
      }
      last[index] = (orchestra.now, beat)
    }
  }

  mutating func pass(_ seconds: Double, of orchestra: inout VirtualOrchestra, _ indices: [Int]) {
    check(in: orchestra, indices)
    for _ in 0..<Int(seconds * 100) {
      orchestra.pass(0.01)
      check(in: orchestra, indices)
    }
  }
}
