import MoCore
import MoSessionCore

/// Sample values for a session's tape.
enum TapeSample {
  static let me = MemberID(0x1234)
  static let other = MemberID(0xFEDC_BA98_7654_3210)

  static let melody = SessionMelody(
    beats: 4,
    [
      SessionMelody.Note(beat: 0, length: 1, pitch: 60),
      SessionMelody.Note(beat: 2.5, length: 0.5, pitch: 67),
    ])

  /// A state without a rhythm.
  static let silent: SessionState = {
    var state = SessionState(
      version: StateVersion(counter: 7, holder: other, revision: 2), lineage: other, isHeld: true,
      holderInstallation: MemberID(99), timeline: nil)
    (state.policy.only, state.policy.lifted, state.lastChange) = (MemberID(99), MemberID(98), 1)
    state.ancestors = [StateAncestor(epoch: 1 << 20, revision: 65_537)]
    return state
  }()

  /// A state with a rhythm that has a ramp and an end, a pattern and gates.
  static let played: SessionState = {
    var state = silent
    let first = SessionTime(nanoseconds: 1_000_000_000)
    let second = SessionTime(nanoseconds: 3_000_000_000)
    state.timeline = Timeline.beginning(
      at: first, tempo: 90, meter: Meter(7, 8) ?? .common, bar: 3, countIn: 1, take: 4
    )
    .changing(tempo: 120, over: 8, at: second, now: first)
    .stopping(at: second.advanced(bySeconds: 9), now: first)
    _ = state.pattern.add(PatternPlan.Entry(bar: -1, level: 2, total: 0.25))
    _ = state.pattern.add(PatternPlan.Entry(bar: 7, level: 3, total: 0.5))
    state.policy.gates = .stairs([me, other, MemberID(7)])
    return state
  }()
}
