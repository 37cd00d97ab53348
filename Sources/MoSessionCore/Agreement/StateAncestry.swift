import MoCore

/// An earlier epoch that a state continues.
///
/// The state includes the changes of this epoch up to the last revision that the holder of the next epoch knew.
package struct StateAncestor: Hashable, Sendable {
  /// The hash of the epoch (`StateVersion.epoch`).
  var epoch: UInt32
  /// The last revision of the epoch that the holder of the next epoch knew.
  var revision: UInt32

  /// The largest number of ancestors in a state.
  package static let most = 8

  package init(epoch: UInt32, revision: UInt32) { (self.epoch, self.revision) = (epoch, revision) }

  init(_ version: StateVersion) { self.init(epoch: version.epoch, revision: version.revision) }

  /// Whether another member than the holder wrote this revision (`StateVersion.isHanded`).
  var isHanded: Bool { StateVersion.isHanded(revision) }

  /// Returns whether this ancestor is a later revision than `version`, in the same epoch.
  func isLater(than version: StateVersion) -> Bool {
    epoch == version.epoch && revision > version.revision
  }
}

extension StateAncestor {
  /// Encodes ancestors: epoch and revision, 4 bytes each, the latest first.
  static func bytes(of list: [StateAncestor]) -> [UInt8] {
    list.prefix(most).flatMap { ancestor in
      [ancestor.epoch, ancestor.revision].flatMap { number in
        (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
      }
    }
  }

  /// Decodes the complete ancestors, `most` at most; an incomplete ancestor at the end is left out.
  static func list(_ bytes: [UInt8]) -> [StateAncestor] {
    stride(from: 0, to: min(bytes.count, 8 * most) - 7, by: 8).map { place in
      func number(_ from: Int) -> UInt32 { bytes[from..<from + 4].reduce(0) { $0 << 8 | UInt32($1) } }
      return StateAncestor(epoch: number(place), revision: number(place + 4))
    }
  }
}

extension StateVersion {
  /// A hash of the epoch: of its counter and holder.
  ///
  /// - Source: SplitMix64's mixing, G. Steele, D. Lea, C. Flood, OOPSLA 2014.
  package var epoch: UInt32 { Self.epoch(counter, heldBy: holder) }

  private static func epoch(_ counter: UInt32, heldBy holder: MemberID) -> UInt32 {
    UInt32(truncatingIfNeeded: SplitMix.mix(holder.bits &+ UInt64(counter) &* SplitMix.step))
  }

  /// Returns whether `epoch` is one of the last `StateAncestor.most` epochs before this version, and `holder` held it.
  func isEarlier(epoch: UInt32, of holder: MemberID) -> Bool {
    (1...UInt32(StateAncestor.most)).contains {
      $0 < counter && Self.epoch(counter - $0, heldBy: holder) == epoch
    }
  }
}

extension SessionState {
  /// The relation of another state to this state.
  package enum Relation {
    /// This state continues the other state, or is the same.
    case older
    /// The other state continues this state: the other state's writer knew all changes that people made in this state.
    case newer
    /// Both states continue an older state independently: the writers were cut off from each other, or wrote at the
    /// same time.
    case diverging
  }

  /// Returns the relation of the state `other` to this state.
  package func relation(of other: SessionState) -> Relation {
    if other.version.counter == 0 { return .older }
    if version.counter == 0 { return .newer }
    // The hashes of two epochs can be the same.
    if (other.version.counter, other.version.holder) == (version.counter, version.holder),
      other.ancestors == ancestors
    {
      return other.version.revision > version.revision ? .newer : .older
    }
    if other.follows(self) { return .newer }
    return follows(other) ? .older : .diverging
  }

  /// Returns whether the two states have an epoch in common.
  ///
  /// The epochs of a state are the epoch in which it was written, and the earlier epochs that it continues.
  func isRelated(to other: SessionState) -> Bool {
    let epochs = Set(ancestors.map(\.epoch)).union([version.epoch])
    return epochs.contains(other.version.epoch) || other.ancestors.contains { epochs.contains($0.epoch) }
  }

  private func follows(_ other: SessionState) -> Bool {
    let epoch = other.version.epoch
    // Each new epoch has a higher number than the epochs that it continues. A forger can list any ancestors.
    guard version.counter > other.version.counter else { return false }
    // Two members can override for the same holder at the same time: each of their revisions is a state of its own.
    return ancestors.contains {
      $0.epoch == epoch && $0.revision >= other.lastChange
        && (!$0.isHanded || $0.revision == other.version.revision)
    }
  }

  /// Begins an epoch that continues this state, the diverging state `other` if given, and the states `abandoned` that
  /// the writer gave up.
  ///
  /// - Parameter isOverride: whether `other` is a refused state. The epoch then continues only the revisions of this
  ///   state's epochs that this state contains, although `other` may list later revisions. Otherwise members with these
  ///   later revisions would lose changes that the writer of the new epoch did not have.
  package mutating func begin(
    _ next: StateVersion, after other: SessionState? = nil, abandoning abandoned: [StateAncestor] = [],
    isOverride: Bool = false
  ) {
    var list: [StateAncestor] = []
    for state in [self, other].compactMap({ $0 }) where state.version.counter > 0 {
      list.append(StateAncestor(state.version))
    }
    for ancestor in abandoned where !list.contains(ancestor) { list.append(ancestor) }
    let mine = ancestors
    let own = Set([version.epoch] + mine.map(\.epoch))
    let theirs = (other?.ancestors ?? []).filter { !isOverride || !own.contains($0.epoch) }
    for place in 0..<StateAncestor.most {
      for ancestor in [mine, theirs].compactMap({ place < $0.count ? $0[place] : nil })
      where !list.contains(ancestor) {
        list.append(ancestor)
      }
    }
    ancestors = Array(list.prefix(StateAncestor.most))
    (version, lastChange) = (next, next.revision)
  }

  /// Returns whether two states have the same music and policy, whatever their epochs are.
  func isSame(as other: SessionState) -> Bool {
    (holderInstallation, isHeld, timeline, pattern, policy, endedSilence)
      == (
        other.holderInstallation, other.isHeld, other.timeline, other.pattern, other.policy,
        other.endedSilence
      )
  }

  /// Returns whether two states have the same music and policy, apart from announced levels of the pattern.
  func isSameButLevels(as other: SessionState) -> Bool {
    var new = self
    new.pattern = other.pattern
    return new.isSame(as: other)
  }

  /// Returns whether members with this state would refuse the state `other`, whatever its version is.
  func contradicts(_ other: SessionState) -> Bool {
    policy.rank == other.policy.rank
      ? policy.contradicts(other.policy) : !policy.permits(other.holderInstallation)
  }

  /// Whether the state's rhythm runs, or is about to start.
  package var isPlaying: Bool { timeline?.last.isPlaying ?? false }

  /// Returns whether members with this state adopt a diverging state that was not written at the same time.
  ///
  /// In addition to the rules of `yields`, this state's policy must permit the holder of the diverging state to
  /// conduct.
  func canYield(to other: SessionState) -> Bool {
    policy.permits(other.holderInstallation) && yields(to: other, isRace: false)
  }

  /// Returns whether members with this state adopt a diverging state automatically.
  ///
  /// A race means that both states were written at the same time. Members never adopt weaker rules. Except in a race,
  /// they never leave a running rhythm for other music, and never adopt other gates of the same rank. Otherwise the
  /// stricter state prevails, then the state whose own policy permits its holder to conduct. After that, the state
  /// whose rhythm runs prevails (except in a race), then the higher version. So any two members reach the same state.
  ///
  /// - Parameter isRace: whether both states were written at the same time, by members that hear each other.
  func yields(to other: SessionState, isRace: Bool) -> Bool {
    guard other.policy.rank >= policy.rank else { return false }
    if !isRace {
      if isPlaying, other.timeline != timeline { return false }
      if other.policy.rank == policy.rank, other.policy.gates != policy.gates { return false }
    }
    return other.weight(isRace: isRace) > weight(isRace: isRace)
  }

  /// Returns the weight of a state: of two states, the state with the higher weight prevails.
  ///
  /// A running rhythm adds weight, but not in a race, which means that both states were written at the same time. In a
  /// race, the conductor may stop the rhythm, so that this weight would change before all members agree.
  private func weight(isRace: Bool) -> (Int32, Int, Int, StateVersion) {
    // A holder that its own policy excludes has no authority.
    (policy.rank, policy.permits(holderInstallation) ? 1 : 0, isPlaying && !isRace ? 1 : 0, version)
  }
}
