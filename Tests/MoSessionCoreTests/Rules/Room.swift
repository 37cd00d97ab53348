import MoTime
import Testing

@testable import MoSessionCore

extension VirtualOrchestra {
  /// Members in one room, by now known to each other, on a wire unless said otherwise.
  static func room(
    _ count: Int, on network: SimulatedNetwork = .wire, seed: UInt64 = 1,
    _ configure: (Int, inout SessionCore.Settings) -> Void = { _, _ in }
  ) -> VirtualOrchestra {
    var orchestra = VirtualOrchestra(count: count, network: network, seed: seed)
    for index in 0..<count {
      orchestra.configure(index) { configure(index, &$0) }
      orchestra.join(index)
      // The first founds the room.
      orchestra.run(to: orchestra.seconds + (index == 0 ? 0.6 : 0.05))
    }
    orchestra.run(to: orchestra.seconds + 2.5)
    return orchestra
  }

  mutating func pass(_ seconds: Double) { run(to: self.seconds + seconds) }

  mutating func start(_ index: Int, _ change: (inout SessionCore.Beginning) -> Void = { _ in }) throws {
    var beginning = SessionCore.Beginning()
    change(&beginning)
    _ = try act(index) { core, now throws(SessionRefusal) in try core.start(beginning, now: now) }
  }

  func core(_ index: Int) -> SessionCore { members[index].core! }
  func id(_ index: Int) -> MemberID { members[index].settings.identity.member }
  func host(_ index: Int) -> HostTime { members[index].host(at: now) }
  func beat(_ index: Int) -> Double? { members[index].beat(atNanoseconds: now) }
  func conductor(_ index: Int) -> MemberID? { core(index).conductor(at: host(index)) }
  func isPlaying(_ index: Int) -> Bool { core(index).beatClock.isPlaying(at: host(index)) }

  /// Which of those who are here keep the clock, by their own word.
  var keepers: [Int] { members.indices.filter { members[$0].core?.isKeeper == true } }

  /// How far beats lie apart, in milliseconds.
  func apart(_ indices: [Int]) -> Double? {
    let beats = indices.compactMap { beat($0) }
    guard beats.count == indices.count, let least = beats.min(), let most = beats.max(),
      let tempo = members[indices[0]].tempo(atNanoseconds: now)
    else { return nil }
    return (most - least) * 60_000 / tempo
  }

  func refusal(_ index: Int, _ wish: (inout SessionCore, HostTime) throws(SessionRefusal) -> Void)
    -> SessionRefusal?
  {
    var copy = core(index)
    do throws(SessionRefusal) { try wish(&copy, host(index)) } catch { return error }
    return nil
  }
}

/// Watches beats go by, and notes the largest jump against the tempo.
struct Watch {
  private var last: [Int: (time: Int64, beat: Double)] = [:]
  /// In milliseconds, ahead or back.
  private(set) var jump = 0.0
  private(set) var hasFallenBack = false

  /// Begins anew with one who has just come back.
  mutating func forget(_ index: Int) { last[index] = nil }

  mutating func look(at orchestra: VirtualOrchestra, _ indices: [Int]) {
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
    look(at: orchestra, indices)
    for _ in 0..<Int(seconds * 100) {
      orchestra.pass(0.01)
      look(at: orchestra, indices)
    }
  }
}
