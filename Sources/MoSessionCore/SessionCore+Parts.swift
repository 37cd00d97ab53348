import MoTime

/// Parts of a room that have never shared a clock, as where one began before its network was there.
///
/// Parts that both play never become one by themselves. Both go on, both are told, and who conducts either decides.
extension SessionCore {
  /// What the own part is like, as far as it is known here.
  func standing(at now: HostTime) -> PartStanding {
    var standing = pulses.standing(of: base) ?? PartStanding()
    standing.isPlaying = state.timeline?.last.isPlaying ?? false
    standing.rank = rank
    if isKeeper, let base {
      standing.members = Int32(
        1 + members.values.count { isHere($0, at: now) && $0.brief.base?.lineage == base.lineage })
    }
    return standing
  }

  private var rank: Int32 {
    // Where nothing was agreed on yet, there is nothing to keep.
    guard state.version.counter > 0 else { return 0 }
    if settings.only != .nobody || state.only != .nobody { return 2 }
    return state.gates.shutsOut ? 1 : 0
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
  func isApart(_ theirs: TimeBase, at now: HostTime) -> OtherPart? {
    guard let mine = base, let other = pulses.standing(of: theirs) else { return nil }
    let own = standing(at: now)
    guard own.isPlaying || other.isPlaying,
      !other.yields(to: own, isOlder: mine.isOlder(than: theirs))
    else { return nil }
    return OtherPart(lineage: theirs.lineage, keeper: theirs.keeper, standing: other)
  }

  mutating func noteOtherPart(_ theirs: TimeBase, at now: HostTime) {
    guard let part = isApart(theirs, at: now) else { return }
    let known = otherPart?.part.lineage
    // The first that was heard of is told of, until it has gone.
    guard known == nil || known == part.lineage else { return }
    otherPart = (part, now.advanced(bySeconds: Self.memoryOfParts))
    if known == nil { events.append(.apart(part)) }
  }

  /// Forgets a part that has not been heard of for so long (s).
  private static let memoryOfParts = 10.0
  /// Seconds in which a part must be ready to be joined, and for which one that was not is passed over.
  static let patienceWithPart = 5.0
  static let pauseForPart = 60.0

  mutating func forgetParts(at now: HostTime) {
    passedOver = passedOver.filter { now < $0.value }
    guard let (part, until) = otherPart else { return }
    if now >= until || part.lineage == base?.lineage {
      otherPart = nil
      events.append(.together)
    }
  }

  /// The part of the room that goes on beside ours; nil for none.
  public var partBeside: OtherPart? { otherPart?.part }

  /// Lets our part go over to the other one, all members of it: who conducts decides, or anybody who may if nobody does.
  ///
  /// - Throws: `SessionRefusal.noOtherPart`, `conducted`, `reserved`, `closed`, `arriving`.
  public mutating func joinOtherPart(now: HostTime) throws(SessionRefusal) {
    guard let part = otherPart?.part else { throw .noOtherPart }
    try agree(at: now) { $0.joins = part.lineage }
    nextSweep = now
  }
}

extension TimeBase {
  /// Whether it was founded before another, or comes first of two at once.
  func isOlder(than other: TimeBase) -> Bool { (founded, lineage) < (other.founded, other.lineage) }
}

extension GateTable {
  /// Whether a gate keeps anybody from conducting.
  var shutsOut: Bool { entries.contains { $0.weights[GateKind.rhythm.rawValue] == 0 } }
}
