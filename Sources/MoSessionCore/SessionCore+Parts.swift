import MoCore

/// A part of the room that goes on beside ours, until when it counts without being heard of again, and its state if it
/// shares our clock.
struct PartBeside: Sendable {
  var part: OtherPart
  var until: HostTime
  /// When it was first heard of.
  var since: HostTime
  /// Whether it goes on beside ours, as the program is told; until then it may come over to us by itself.
  var isTold = false
  var state: SessionState?
}

/// Parts of a room that do not become one by themselves: they have never shared a clock, as when one began before its
/// network was there, or the music of both was changed while they were cut off from each other.
///
/// Both go on, both are told, and who conducts either decides.
extension SessionCore {
  /// What the own part is like, as far as it is known here.
  func standing(at now: HostTime) -> PartStanding {
    var standing = pulses.standing(of: base) ?? PartStanding()
    standing.isPlaying = state.isPlaying
    // Before anything was agreed on, there is nothing to keep.
    var policy = state.policy
    policy.only = only
    (standing.rank, standing.rules) = state.version.counter == 0 ? (0, 0) : (policy.rank, policy.digest)
    if isKeeper, let base {
      standing.hasConductor = hasConductor(at: now)
      standing.members = Int32(
        1 + members.values.count { isHere($0, at: now) && $0.brief.base?.lineage == base.lineage })
    }
    return standing
  }

  /// Whether we go over to another part.
  func goesOver(to theirs: TimeBase, at now: HostTime) -> Bool {
    guard let mine = base else { return false }
    // People decided, also if it could not be done at first.
    if state.joins == theirs.lineage { return true }
    guard now >= passedOver[theirs.lineage] ?? .distantPast, let other = pulses.standing(of: theirs) else {
      return false
    }
    return standing(at: now).yields(to: other, isOlder: theirs.isOlder(than: mine))
  }

  /// Which of two parts is rather joined.
  func isBetter(_ one: TimeBase, than other: TimeBase) -> Bool {
    guard let left = pulses.standing(of: one), let right = pulses.standing(of: other) else { return false }
    if left.isPlaying != right.isPlaying { return left.isPlaying }
    return right.yields(to: left, isOlder: one.isOlder(than: other))
  }

  /// Notes a part that goes on beside ours.
  mutating func noteOtherPart(_ theirs: TimeBase, at now: HostTime) {
    guard let mine = base, let other = pulses.standing(of: theirs) else { return }
    let comes = other.yields(to: standing(at: now), isOlder: mine.isOlder(than: theirs))
    let part = OtherPart(lineage: theirs.lineage, keeper: theirs.keeper, standing: other)
    note(part, isKnown: beside?.part.lineage == part.lineage, state: nil, comes: comes, at: now)
  }

  /// Notes a state of our clock that goes on beside ours.
  mutating func noteStateBeside(_ new: SessionState, at now: HostTime) {
    guard let base else { return }
    if epochsBeside[new.version.epoch] == nil {
      epochsBeside = epochsBeside.filter { now.seconds(since: $0.value) < Self.memoryOfEpochs }
      if epochsBeside.count < Self.mostEpochsBeside { epochsBeside[new.version.epoch] = now }
    }
    let count = members.values.count { $0.brief.version.epoch == new.version.epoch }
    let part = OtherPart(
      lineage: base.lineage, keeper: base.keeper,
      standing: PartStanding(isPlaying: new.isPlaying, rank: new.policy.rank, members: Int32(max(1, count))))
    let isKnown = beside?.state.map { $0 == new || $0.relation(of: new) == .newer } ?? false
    note(part, isKnown: isKnown, state: new, comes: new.comes(to: state), at: now)
  }

  /// Whether a state follows an epoch that has gone on beside ours for a second or more.
  func isKnownBeside(_ new: SessionState, at now: HostTime) -> Bool {
    ([new.version.epoch] + new.ancestors.map(\.epoch)).contains { epoch in
      epoch != state.version.epoch && !state.ancestors.contains { $0.epoch == epoch }
        && epochsBeside[epoch].map { now.seconds(since: $0) >= 1 } == true
    }
  }

  /// Seconds for which an epoch that goes on beside ours is remembered, and most of them.
  private static let memoryOfEpochs = 600.0
  private static let mostEpochsBeside = 16

  /// - Parameters:
  ///   - isKnown: whether it is the part that was heard of; another one is noted only after that has gone.
  ///   - comes: whether its members should come over to us, as far as is known here.
  private mutating func note(
    _ part: OtherPart, isKnown: Bool, state: SessionState?, comes: Bool, at now: HostTime
  ) {
    guard isKnown || beside == nil else { return }
    beside = PartBeside(
      part: part, until: now, since: beside?.since ?? now, isTold: beside?.isTold ?? false, state: state)
    noteBeside(at: now)
    if !comes { tellOfPart() }
  }

  /// Tells the program of the part beside ours.
  private mutating func tellOfPart() {
    guard let part = beside?.part, beside?.isTold == false else { return }
    beside?.isTold = true
    events.append(.apart(part))
  }

  /// Notes that the part beside ours is still there.
  mutating func noteBeside(at now: HostTime) { beside?.until = now.advanced(bySeconds: Self.memoryOfParts) }

  /// Forgets a part that has not been heard of for so long (s).
  private static let memoryOfParts = 10.0
  /// Seconds in which a part must be ready to be joined, and for which one that was not is passed over.
  static let patienceWithPart = 5.0
  static let pauseForPart = 60.0

  mutating func forgetParts(at now: HostTime) {
    passedOver = passedOver.filter { now < $0.value }
    guard let beside else { return }
    let isOne =
      // A newer state that was not taken, since its version is too far ahead, goes on beside ours, too.
      beside.state.map { $0.lineage != base?.lineage || state.relation(of: $0) == .older }
      ?? (beside.part.lineage == base?.lineage)
    if now >= beside.until || isOne {
      self.beside = nil
      if beside.isTold { events.append(.together) }
    } else if now.seconds(since: beside.since) >= Self.patienceWithPart,
      beside.until.seconds(since: now) > Self.memoryOfParts - 2.5
    {
      // Its members have reasons to stay that are not known here.
      tellOfPart()
    }
  }

  /// The part of the room that goes on beside ours; nil for none.
  public var partBeside: OtherPart? { beside?.isTold == true ? beside?.part : nil }

  /// Lets our part go over to the other one, all members of it: who conducts decides, or anybody who may if nobody does.
  ///
  /// - Throws: `SessionRefusal.noOtherPart`, `conducted`, `away`, `reserved`, `closed`, `arriving`, `otherPartFree`.
  public mutating func joinOtherPart(now: HostTime) throws(SessionRefusal) {
    guard let beside, beside.isTold else { throw .noOtherPart }
    if let theirs = beside.state, state.relation(of: theirs) == .newer,
      mayWrite(theirs.holderInstallation, at: now)
    {
      // Its version is too far ahead to be taken without a person's word; by the rules it holds here.
      adopt(theirs, isNewer: true, at: now)
      nextSweep = now
      return
    }
    try mayConduct(at: now)
    // Its conductor could not conduct here.
    let theirs = beside.state?.policy.only ?? (beside.part.standing.rank == 2 ? only : .nobody)
    guard only == .nobody || only == theirs else { throw .otherPartFree }
    if let theirs = beside.state {
      pass(to: theirs, from: state, at: now)
    } else {
      try agree(at: now) { $0.joins = beside.part.lineage }
    }
    nextSweep = now
  }

  /// Lets a state hold above another, in an epoch that follows both.
  ///
  /// Its holder stays, unless its policy shuts that one out: what such a holder wrote next would be refused again.
  mutating func pass(to held: SessionState, from left: SessionState, at now: HostTime) {
    var next = held
    let epochs = max(highestEpoch, left.version.counter)
    next.joins = .nobody
    next.begin(
      held.version.handed(to: held.version.holder, by: me, after: epochs), after: left == held ? nil : left)
    if !next.policy.permits(next.holderInstallation) { next.isHeld = false }
    handed = next.version
    adopt(next, isNewer: true, at: now)
    wrote(at: now)
  }
}

extension TimeBase {
  /// Whether it was founded before another, or comes first of two at once.
  func isOlder(than other: TimeBase) -> Bool { (founded, lineage) < (other.founded, other.lineage) }
}
