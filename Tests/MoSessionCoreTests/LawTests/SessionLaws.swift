import MoCore
import MoSessionCore
import MoSessionSimulation

/// Laws that always apply, checked from outside; violations are recorded as texts.
struct SessionLaws {
  private(set) var broken: [String] = []
  /// The number of comparisons of a published bound with the true error, and of those that held.
  private(set) var bounds = (all: 0, kept: 0)

  /// All states so far, and the times in seconds at which they were first seen.
  private var versions: [StateVersion: (state: SessionState, since: Double)] = [:]
  private var seen: [Snapshot?]
  /// The starts of the segments of rhythms that each member has played.
  private var played: [MemberID: Set<SessionTime>] = [:]
  /// Members whose clock has stepped, so that their announcements by that clock are void.
  private var steps: [Bool]
  /// The times in seconds until which programs are stopped, and their announcements late.
  private var stalls: [Double]
  /// The times in seconds at which members vanished.
  private var gone: [MemberID: Double] = [:]
  private var there: [MemberID?] = []
  /// For each member its number of received plays, its silence, and the time in seconds, at the last check.
  private var heard: [Int: (id: MemberID, count: Int, isSilenced: Bool)] = [:]
  private var lastCheck = -Double.infinity
  /// The versions that members have written and no check has seen as the state of a member.
  private var unseen: [StateVersion] = []

  /// The place of a violation: a member and a time; its text is made only if needed.
  private struct Place: CustomStringConvertible {
    var name: String
    var seconds: Double
    var description: String { "\(name) at \(seconds) s" }
  }

  /// The state of a member at the last check.
  private struct Snapshot {
    var id: MemberID
    var base: TimeBase?
    var state: SessionState
    /// The time at which people's last change of its state was received.
    var since: Double
    var beat: Double?
    var time: SessionTime
    /// The true time of the check, and of the member's last silence.
    var now: Int64
    var lastSilentTime: Int64
    var host: HostTime
    /// Its timeline, and the number of the bar.
    var course: Timeline?
    var bar: Int?
    var isPlaying: Bool
    /// The number of its rhythm.
    var take: UInt32?
    /// The start of the segment in force.
    var start: SessionTime?
    /// The known time of its stop.
    var stop: SessionTime?
    var events: Int
    /// Announced times by its own clock at which it may jump.
    var seams: [HostTime] = []
    /// Whether the rhythm was stopped since the check before, also if the next one is known already.
    var wasStopped = false
    /// Whether the member left its clock since the check before; it may have returned to it since.
    var hasLeft = false
    /// The newest version that the member itself has written.
    var written: StateVersion
  }

  init(count: Int) {
    seen = Array(repeating: nil, count: count)
    steps = Array(repeating: false, count: count)
    stalls = Array(repeating: -.infinity, count: count)
  }

  /// Records that a member's clock is about to step, and its beat with it.
  mutating func stepped(_ index: Int) { steps[index] = true }

  /// Records that a member's program is stopped until a time, while its sound continues.
  mutating func stalled(_ index: Int, until seconds: Double) { stalls[index] = max(stalls[index], seconds) }

  mutating func check(in orchestra: VirtualOrchestra) {
    recordGone(in: orchestra)
    // Each check reads the cores where they are: copies of them took half of the tests' time. A method call on a
    // `pointee` copies it, and one on an `inout` parameter does not.
    orchestra.members.withUnsafeBufferPointer { members in
      for member in members.pointers {
        guard let core = member.core else { continue }
        record(core.pointee.state, member, orchestra)
        // A state that lost to another between two checks may be known only as the state of a separate part.
        if let separate = core.pointee.agreement.separatePart?.state { record(separate, member, orchestra) }
      }
      unseen = members.pointers.compactMap { member in
        member.core.map { $0.pointee.agreement.written }.flatMap { versions[$0] == nil ? $0 : nil }
      }
      for (index, member) in members.pointers.enumerated() {
        if let core = member.core {
          check(in: &core.pointee, member, index, of: orchestra)
        } else {
          (seen[index], steps[index]) = (nil, false)
        }
      }
      compareBounds(members, of: orchestra)
    }
    lastCheck = orchestra.seconds
  }

  /// Records a state, and checks that all states of one version are the same.
  private mutating func record(
    _ state: SessionState, _ member: UnsafePointer<VirtualMember>, _ orchestra: VirtualOrchestra
  ) {
    guard state.version != .none else { return }
    let known = versions[state.version]
    if let known, known.state != state {
      let place = Place(name: member.pointee.settings.identity.name, seconds: orchestra.seconds)
      broken.append("\(place): two states \(state.version)")
    }
    if known == nil { versions[state.version] = (state, orchestra.seconds) }
  }

  private mutating func check(
    in core: inout SessionCore, _ member: UnsafePointer<VirtualMember>, _ index: Int,
    of orchestra: VirtualOrchestra
  ) {
    let now = member.pointee.clock.host(at: orchestra.now)
    let place = Place(name: member.pointee.settings.identity.name, seconds: orchestra.seconds)
    if core.members.count >= orchestra.members.count * 3 + 20 {
      broken.append("\(place): members grow")
    }
    if core.clock.measured.count > 4
      || core.agreement.pushes.count > core.members.count
    {
      broken.append(
        "\(place): measured \(core.clock.measured.count), lagging \(core.agreement.pushes.count)"
      )
    }
    if core.nextTick.seconds(since: now) < -0.001, !orchestra.isStalled(index) {
      broken.append("\(place): a tick was forgotten")
    }
    checkGoneConductor(&core, now, index, place, orchestra.seconds)
    checkSilence(&core, member, index, place)
    let clock = core.beatClock
    var snapshot = Snapshot(
      id: core.me, base: core.base, state: core.state, since: orchestra.seconds,
      beat: clock.beat(at: now),
      time: clock.sessionTime(at: now), now: orchestra.now, lastSilentTime: member.pointee.lastSilentTime,
      host: now,
      isPlaying: clock.isPlaying(at: now), events: member.pointee.events.count,
      written: core.agreement.written)
    snapshot.take = clock.timeline?.take
    snapshot.course = clock.timeline
    snapshot.start = clock.timeline?.segment(at: snapshot.time).start
    snapshot.bar = clock.position(at: now)?.bar
    snapshot.stop =
      [clock.timeline?.next, clock.timeline?.later].lazy.compactMap { $0 }
      .first { !$0.isPlaying && $0.start > snapshot.time }?.start
    let last = seen[index].flatMap { $0.id == core.me ? $0 : nil }
    // A program that starts may be told of a jump before the first check.
    let began = member.pointee.joinedAt ?? 0
    for happening in member.pointee.events[min(last?.events ?? 0, member.pointee.events.count)...]
    where happening.seconds >= began {
      switch happening.event {
      case .merging(let at), .correcting(let at): snapshot.seams.append(at)
      case .conductor(nil): snapshot.wasStopped = true
      case .merged: snapshot.hasLeft = true
      default: break
      }
    }
    // A member that does not know the time yet follows another clock without an event, and then has no state; it keeps
    // the state that it left.
    if !core.clock.isSynced, core.state.version == .none, core.agreement.foreign != nil {
      snapshot.hasLeft = true
    }
    if let last {
      if last.state.version.epoch == core.state.version.epoch,
        last.state.lastChange == core.state.lastChange
      {
        snapshot.since = last.since
      }
      // A member whose program was stalled receives at once what the others agreed on meanwhile, step by step.
      let isLate = orchestra.seconds < stalls[index] + 0.1
      checkChange(last, snapshot, isStepped: steps[index] || isLate, place, orchestra.seconds)
      snapshot.seams += last.seams.filter { now.seconds(since: $0) < 0.05 }
      // A newcomer's clock settles within a second and a half; it is audible from a bar line on.
      let isArriving = !core.isKeeper && core.clock.sync.isArriving(at: now)
      if steps[index] || isArriving || isLate { snapshot.beat = nil }
      if core.clock.upcoming == nil, core.clock.merge == nil, !isArriving {
        steps[index] = false
      }
      compare(last, snapshot, &core, now, place)
    }
    if let start = snapshot.start, start != last?.start { played[snapshot.id, default: []].insert(start) }
    seen[index] = snapshot
  }

  private mutating func compare(
    _ last: Snapshot, _ snapshot: Snapshot, _ core: inout SessionCore, _ now: HostTime, _ place: Place
  ) {
    guard last.base?.lineage == snapshot.base?.lineage else { return }
    guard let before = last.beat, let beat = snapshot.beat, last.isPlaying, snapshot.isPlaying else { return }
    // Either an announced start, or an announced jump.
    let segments =
      core.beatClock.timeline.map { [$0.current, $0.next, $0.later].compactMap { $0 } } ?? []
    if segments.contains(where: { $0.start >= last.time && $0.start <= snapshot.time }) { return }
    // A rhythm stopped, and before this check another one was received, or the same one of a part that did not stop it.
    if let stop = last.stop, stop <= snapshot.time, last.course != snapshot.course { return }
    // Its stop was received between the checks, and after it the next rhythm, or a state that overrides the stop.
    if snapshot.lastSilentTime > last.now, last.take != snapshot.take || last.course != snapshot.course {
      return
    }
    if snapshot.seams.contains(where: { now.seconds(since: $0) > -0.001 }) { return }
    let passed = snapshot.host.seconds(since: last.host)
    let bend = snapshot.time.seconds(since: last.time) - passed
    if abs(bend) > 500e-6 * passed + 3e-6 {
      broken.append("\(place): the shared clock moved by \(bend * 1e6) µs in \(passed) s")
    }
    // A member that was cut off receives the next rhythm after its start, once; the conductor must announce it ahead.
    if last.take != snapshot.take, snapshot.id != snapshot.state.version.holder,
      let start = snapshot.start, start < last.time, played[snapshot.id]?.contains(start) != true
    {
      return
    }
    if beat < before - 1e-6 {
      broken.append("\(place): beat \(before) was followed by \(beat)")
    }
    // A member that learns late of another meter counts its bars anew.
    if last.course == snapshot.course, let bar = snapshot.bar, let earlier = last.bar, bar < earlier {
      broken.append("\(place): bar \(earlier) was followed by \(bar)")
    }
    // Nor does it jump ahead by more than timelines that count as the same may differ.
    let fastest = core.beatClock.timeline.map {
      max($0.segment(at: snapshot.time).tempo, $0.tempo(at: snapshot.time).beatsPerMinute)
    }
    if beat > before + (fastest ?? 0) / 60 * passed * 1.001 + ClockSync.continuous + 1e-3 {
      broken.append("\(place): beat \(before) was followed by \(beat), \(passed) s later")
    }
  }

  /// Checks changes of the state.
  ///
  /// No member goes back to an earlier state. No member leaves a rhythm for another one unless the other follows it,
  /// both were written at the same time, or people decided. Of an epoch, the conductor alone writes later states: a
  /// member that slept after it had handed on the baton follows what the new conductor has started.
  private mutating func checkChange(
    _ last: Snapshot, _ snapshot: Snapshot, isStepped: Bool, _ place: Place, _ seconds: Double
  ) {
    var change: String { "\(last.state.version) for \(snapshot.state.version)" }
    let isOtherPart = last.base?.lineage != snapshot.base?.lineage
    guard !isOtherPart, !snapshot.hasLeft else {
      let isDecided =
        last.state.joins == snapshot.base?.lineage || snapshot.state.joins == snapshot.base?.lineage
      // A later state of its rhythm, such as a stop, may have come between two checks, and no member may have it now.
      let isUnseen = unseen.contains { $0.epoch == last.state.version.epoch && $0 > last.state.version }
      if isOtherPart, last.isPlaying, last.state.isPlaying, !isDecided, !isStepped, !isUnseen {
        broken.append("\(place): left its rhythm for another part's")
      }
      return
    }
    guard last.state != snapshot.state else { return }
    switch last.state.relation(of: snapshot.state) {
    case .newer: break
    case .older:
      // Between two checks it may have adopted a diverging state, and then a state that continues that one only. The
      // epoch of the last state may have two branches.
      let isThroughOther = versions.values.contains {
        last.state.relation(of: $0.state) == .diverging && $0.state.relation(of: snapshot.state) == .newer
      }
      if !isThroughOther { broken.append("\(place): lost \(change)") }
    case .diverging:
      if last.state.isPlaying, !snapshot.wasStopped, last.state.timeline != snapshot.state.timeline,
        last.state.version.epoch != snapshot.state.version.epoch,
        seconds - last.since > Agreement.race + 0.1, !isStepped,
        // Between two checks it may have written or received a new change of its own rhythm, and then a state of the
        // same time.
        last.written == snapshot.written || seconds - since(snapshot.state) >= Agreement.race + 0.1,
        !versions.values.contains(where: {
          seconds - $0.since < Agreement.race + 0.1 && last.state.relation(of: $0.state) == .newer
        })
      {
        broken.append("\(place): left its rhythm, \(change)")
      }
    }
  }

  /// Returns the time in seconds at which a state was first seen.
  private func since(_ state: SessionState) -> Double { versions[state.version]?.since ?? -.infinity }

  /// Checks that no sound is audible in a silent room, or from a muted member.pointee.
  private mutating func checkSilence(
    _ core: inout SessionCore, _ member: UnsafePointer<VirtualMember>, _ index: Int, _ place: Place
  ) {
    let before = heard[index]
    heard[index] = (core.me, member.pointee.heard.count, core.isSilenced)
    // Between two checks it may have been allowed, or the program may have restarted.
    guard let before, before.id == core.me, before.isSilenced, case let from = before.count,
      core.isSilenced,
      from < member.pointee.heard.count
    else { return }
    let isLifted = member.pointee.events.contains { $0.seconds >= lastCheck && $0.event == .panicLifted }
    if !isLifted, member.pointee.heard[from...].contains(where: { $0.play.play.makesSound }) {
      broken.append("\(place): hears something in a silent room")
    }
  }

  private mutating func recordGone(in orchestra: VirtualOrchestra) {
    let now = orchestra.members.withUnsafeBufferPointer { members in
      Array(members.pointers.map { $0.core?.pointee.roster.me })
    }
    for case (let index, let id?) in there.enumerated() where id != now[index] {
      // On bad Wi-Fi a packet can be under way for more than a second.
      gone[id] = max(orchestra.seconds, orchestra.lastArrival(from: index) ?? 0)
    }
    there = now
  }

  /// Checks that a conductor that has left no longer conducts two seconds (and its last packet's delay) later.
  private mutating func checkGoneConductor(
    _ core: inout SessionCore, _ now: HostTime, _ index: Int, _ place: Place, _ seconds: Double
  ) {
    guard let id = core.conductor(at: now), let since = gone[id], !there.contains(id) else { return }
    if seconds > since + 2.7, seconds > stalls[index] + 3 {
      broken.append("\(place): \(id) conducts, and is gone since \(since) s")
    }
  }

  private mutating func compareBounds(
    _ members: UnsafeBufferPointer<VirtualMember>, of orchestra: VirtualOrchestra
  ) {
    for member in members.pointers {
      guard let core = member.core, let base = core.pointee.clock.base, base.keeper != core.pointee.roster.me,
        let keeper = members.pointers.first(where: { $0.core?.pointee.roster.me == base.keeper }),
        let other = keeper.core, other.pointee.clock.base == base
      else { continue }
      let now = member.pointee.clock.host(at: orchestra.now)
      let bound = Self.bound(of: &core.pointee, at: now)
      guard bound.isFinite else { continue }
      let theirs = Self.time(of: &other.pointee, at: keeper.pointee.clock.host(at: orchestra.now))
      let error = Self.time(of: &core.pointee, at: now) &- theirs
      bounds.all += 1
      if Double(error.magnitude) <= bound { bounds.kept += 1 }
    }
  }

  private static func bound(of core: inout SessionCore, at now: HostTime) -> Double {
    core.errorBound(at: now)
  }

  private static func time(of core: inout SessionCore, at now: HostTime) -> Int64 {
    core.beatClock.sessionTime(at: now).nanoseconds
  }
}

extension UnsafeBufferPointer<VirtualMember> {
  /// The places of the members, so that a check reads them without copies.
  var pointers: LazyMapSequence<Range<Int>, UnsafePointer<VirtualMember>> {
    let first = baseAddress
    return indices.lazy.map { first! + $0 }
  }
}

extension UnsafePointer<VirtualMember> {
  /// The place of the member's core; nil if its program does not run.
  var core: UnsafeMutablePointer<SessionCore>? {
    guard pointee.joinedAt != nil, let offset = Self.coreOffset else { return nil }
    // An optional's value begins at its first byte.
    return UnsafeMutableRawPointer(mutating: self + 0).advanced(by: offset).assumingMemoryBound(
      to: SessionCore.self)
  }

  private static var coreOffset: Int? { MemoryLayout<VirtualMember>.offset(of: \.core) }
}

extension SessionLaws {
  /// Returns the disagreements among members after a quiet time, except those with a reported separate part.
  ///
  /// - Parameter isComplete: whether all members hear each other.
  static func disagreement(in orchestra: VirtualOrchestra, isComplete: Bool = true) -> [String] {
    Set(orchestra.members.map(\.settings.room)).sorted().flatMap {
      disagreement(in: orchestra, room: $0, isComplete)
    }
  }

  private static func disagreement(
    in orchestra: VirtualOrchestra, room: String, _ isComplete: Bool
  ) -> [String] {
    var list: [String] = []
    let present = orchestra.members.filter { $0.core != nil && $0.settings.room == room }
    let cores = present.compactMap(\.core)
    guard let first = cores.first else { return [] }
    if cores.contains(where: { $0.partBeside != nil }) {
      // Only parts that meet are notified; in an incomplete network others are judged by the members that they hear.
      return !isComplete || cores.allSatisfy { $0.partBeside != nil }
        ? [] : ["some were told of another part, others not"]
    }
    for (member, core) in zip(present, cores) {
      let name = member.settings.identity.name
      if core.base == nil { list.append("\(name) has no clock") }
      if core.base != first.base {
        list.append(
          "\(name) goes by \(String(describing: core.base)), others by \(String(describing: first.base))")
      }
      // Through other members, an announcement of the pattern takes a second; a change by people is known by now.
      let isSame = core.state.isSameMusic(as: first.state)
      if isComplete ? core.state != first.state : !isSame {
        list.append("\(name) has \(core.state.version), others \(first.state.version)")
      }
      if isComplete, core.members.count != cores.count - 1 {
        list.append("\(name) sees \(core.members.count) others")
      }
      if isComplete, core.sharing.store.things != first.sharing.store.things {
        list.append(
          "\(name) shares \(core.sharing.store.count) settings, others \(first.sharing.store.count), or other ones"
        )
      }
      if core.isSilencedInRoom != first.isSilencedInRoom {
        list.append("\(name) is \(core.isSilencedInRoom ? "silent" : "not silent"), and others not")
      }
      if core.agreement.silence.isCalling { list.append("\(name) still calls for silence") }
      // The gates of the room may exclude it. A forged state may give the right back to an installation that is away.
      // The holder of this state conducts until it has left.
      if !core.agreement.isExcluded(core.settings.only),
        core.settings.only == core.settings.identity.installation
          || cores.allSatisfy({ $0.settings.only == core.settings.only }),
        core.settings.only != .nobody, core.settings.only != core.state.policy.lifted,
        let holder = core.state.conductor, holder != core.me,
        core.roster.isHere(holder, at: member.host(at: orchestra.now)),
        core.state.holderInstallation != core.settings.only
      {
        list.append("\(name) lets \(holder) conduct, who may not")
      }
      if core.clock.upcoming != nil || core.clock.merge != nil { list.append("\(name) is still to change") }
      let now = member.host(at: orchestra.now)
      if isComplete, core.conductor(at: now) != first.conductor(at: present[0].host(at: orchestra.now)) {
        list.append("\(name) sees another conductor")
      }
    }
    let beats = present.map { $0.beat(atNanoseconds: orchestra.now) }
    let some = beats.compactMap { $0 }
    if !some.isEmpty, some.count != beats.count { list.append("some have a beat and some not: \(beats)") }
    if let least = some.min(), let most = some.max() {
      let tempo = first.beatClock.tempo(at: present[0].host(at: orchestra.now))?.beatsPerMinute ?? 120
      let spread = (most - least) * 60 / tempo
      // For a wire: half a round trip, plus the initial error of a restarted clock.
      if spread > (isComplete ? 0.002 : 0.01) { list.append("beats are \(spread * 1e3) ms apart: \(beats)") }
    }
    return list
  }
}

extension SessionState {
  /// Whether two states have the same last change by people.
  fileprivate func isSameMusic(as other: SessionState) -> Bool {
    version.epoch == other.version.epoch && lastChange == other.lastChange
  }
}
