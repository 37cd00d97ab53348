import MoTime

@testable import MoSessionCore

/// The laws that hold whatever happens, looked after from outside; what breaks them is noted in words.
struct SessionLaws {
  private(set) var broken: [String] = []
  /// How often a published bound was compared with the true error, and held.
  private(set) var bounds = (all: 0, kept: 0)

  private var versions: [StateVersion: SessionState] = [:]
  private var seen: [Glimpse?]
  /// Whose clock has stepped, so that what it announced by that clock means nothing.
  private var steps: [Bool]

  /// What was seen of a member last.
  private struct Glimpse {
    var id: MemberID
    var base: TimeBase?
    var version: StateVersion
    var beat: Double?
    var time: SessionTime
    var isPlaying: Bool
    /// Which music it plays, and when that stops by what it knows.
    var take: UInt32?
    var stop: SessionTime?
    var events: Int
    /// Moments by its own clock at which it may jump, as it announced.
    var seams: [HostTime] = []
  }

  init(count: Int) {
    seen = Array(repeating: nil, count: count)
    steps = Array(repeating: false, count: count)
  }

  /// A member's clock is about to step, and its beat with it.
  mutating func stepped(_ index: Int) { steps[index] = true }

  mutating func look(at orchestra: VirtualOrchestra) {
    for index in orchestra.members.indices {
      let member = orchestra.members[index]
      guard let core = member.core else {
        (seen[index], steps[index]) = (nil, false)
        continue
      }
      look(at: core, member, index, of: orchestra)
    }
    compareBounds(in: orchestra)
  }

  private mutating func look(
    at core: SessionCore, _ member: VirtualMember, _ index: Int, of orchestra: VirtualOrchestra
  ) {
    let now = member.host(at: orchestra.now)
    let place = "\(member.settings.identity.name) at \(orchestra.seconds) s"
    if let known = versions[core.state.version], known != core.state, core.state.version != .none {
      broken.append("\(place): two states \(core.state.version)")
    }
    versions[core.state.version] = core.state
    if core.members.count >= orchestra.members.count * 3 + 20 { broken.append("\(place): members grow") }
    if core.measured.count > 4 || core.lagging.count > core.members.count {
      broken.append("\(place): measured \(core.measured.count), lagging \(core.lagging.count)")
    }
    if core.nextTick.seconds(since: now) < -0.001 { broken.append("\(place): a tick was forgotten") }
    let clock = core.beatClock
    var glimpse = Glimpse(
      id: core.me, base: core.base, version: core.state.version, beat: clock.beat(at: now),
      time: clock.sessionTime(at: now), isPlaying: clock.isPlaying(at: now), events: member.events.count)
    glimpse.take = clock.timeline?.take
    glimpse.stop =
      [clock.timeline?.next, clock.timeline?.later].lazy.compactMap { $0 }
      .first { !$0.isPlaying && $0.start > glimpse.time }?.start
    if let last = seen[index], last.id == core.me {
      glimpse.seams = last.seams.filter { now.seconds(since: $0) < 0.05 }
      for happening in member.events[min(last.events, member.events.count)...] {
        switch happening.event {
        case .merging(let at), .correcting(let at): glimpse.seams.append(at)
        default: break
        }
      }
      // A newcomer's clock finds its place within a second and a half; it is heard from a bar line on.
      let isArriving = !core.isKeeper && core.sync.isArriving(at: now)
      if steps[index] || isArriving { glimpse.beat = nil }
      if core.upcoming == nil, core.merge == nil, !isArriving { steps[index] = false }
      compare(last, glimpse, core, now, place)
    }
    seen[index] = glimpse
  }

  private mutating func compare(
    _ last: Glimpse, _ glimpse: Glimpse, _ core: SessionCore, _ now: HostTime, _ place: String
  ) {
    guard last.base?.lineage == glimpse.base?.lineage else { return }
    if glimpse.version < last.version {
      broken.append("\(place): lost \(last.version) for \(glimpse.version)")
    }
    guard let before = last.beat, let beat = glimpse.beat, last.isPlaying, glimpse.isPlaying else { return }
    // A start that was announced, a seam that was announced.
    let segments = core.beatClock.timeline.map { [$0.current, $0.next, $0.later].compactMap { $0 } } ?? []
    if segments.contains(where: { $0.start >= last.time && $0.start <= glimpse.time }) { return }
    // One music stopped, and the next one, which had begun elsewhere, was heard of before the next look.
    if let stop = last.stop, stop <= glimpse.time, last.take != glimpse.take { return }
    if glimpse.seams.contains(where: { now.seconds(since: $0) > -0.001 }) { return }
    if beat < before - 1e-6 {
      broken.append("\(place): beat \(before) was followed by \(beat)")
    }
  }

  private mutating func compareBounds(in orchestra: VirtualOrchestra) {
    for member in orchestra.members {
      guard let core = member.core, let base = core.base, !core.isKeeper,
        let keeper = orchestra.members.first(where: { $0.core?.me == base.keeper }),
        let other = keeper.core, other.base == base
      else { continue }
      let now = member.host(at: orchestra.now)
      let bound = core.errorBound(at: now)
      guard bound.isFinite else { continue }
      let theirs = other.beatClock.sessionTime(at: keeper.host(at: orchestra.now)).nanoseconds
      let error = core.beatClock.sessionTime(at: now).nanoseconds &- theirs
      bounds.all += 1
      if Double(error.magnitude) <= bound { bounds.kept += 1 }
    }
  }
}

extension SessionLaws {
  /// What members do not agree on, after some quiet.
  static func disagreement(in orchestra: VirtualOrchestra) -> [String] {
    var list: [String] = []
    let present = orchestra.members.filter { $0.core != nil }
    let cores = present.compactMap(\.core)
    guard let first = cores.first else { return [] }
    for (member, core) in zip(present, cores) {
      let name = member.settings.identity.name
      if core.base == nil { list.append("\(name) has no clock") }
      if core.base != first.base {
        list.append(
          "\(name) goes by \(String(describing: core.base)), others by \(String(describing: first.base))")
      }
      if core.state != first.state {
        list.append("\(name) has \(core.state.version), others \(first.state.version)")
      }
      if core.members.count != cores.count - 1 { list.append("\(name) sees \(core.members.count) others") }
      if core.sharing.store.things != first.sharing.store.things {
        list.append(
          "\(name) shares \(core.sharing.store.count) settings, others \(first.sharing.store.count), or other ones"
        )
      }
      if core.upcoming != nil || core.merge != nil { list.append("\(name) is still to change") }
      let now = member.host(at: orchestra.now)
      if core.conductor(at: now) != first.conductor(at: present[0].host(at: orchestra.now)) {
        list.append("\(name) sees another conductor")
      }
    }
    let beats = present.map { $0.beat(atNanoseconds: orchestra.now) }
    let some = beats.compactMap { $0 }
    if !some.isEmpty, some.count != beats.count { list.append("some have a beat and some not: \(beats)") }
    if let least = some.min(), let most = some.max() {
      let tempo = first.beatClock.tempo(at: present[0].host(at: orchestra.now)) ?? 120
      let spread = (most - least) * 60 / tempo
      // A wire's: half a round trip and what a clock that starts anew does not know yet.
      if spread > 0.002 { list.append("beats are \(spread * 1e3) ms apart: \(beats)") }
    }
    return list
  }
}
