import MoCore

/// An epoch that a state follows, up to the revision that the next epoch's holder knew.
public struct StateAncestor: Hashable, Sendable {
  /// Tells its epoch from others.
  var epoch: UInt32
  /// The last revision that was known.
  var revision: UInt32

  /// Most that a state names.
  static let most = 8

  init(epoch: UInt32, revision: UInt32) { (self.epoch, self.revision) = (epoch, revision) }

  init(_ version: StateVersion) { self.init(epoch: version.epoch, revision: version.revision) }
}

extension StateAncestor {
  /// Epoch and revision of each, 4 bytes each, the highest first.
  static func bytes(of list: [StateAncestor]) -> [UInt8] {
    list.prefix(most).flatMap { ancestor in
      [ancestor.epoch, ancestor.revision].flatMap { number in
        (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
      }
    }
  }

  /// Reads as many as are whole.
  static func list(_ bytes: [UInt8]) -> [StateAncestor] {
    stride(from: 0, to: min(bytes.count, 8 * most) - 7, by: 8).map { place in
      func number(_ from: Int) -> UInt32 { bytes[from..<from + 4].reduce(0) { $0 << 8 | UInt32($1) } }
      return StateAncestor(epoch: number(place), revision: number(place + 4))
    }
  }
}

extension StateVersion {
  /// A number of the epoch: counter and holder, mixed.
  ///
  /// - Source: SplitMix64's mixing, G. Steele, D. Lea, C. Flood, OOPSLA 2014.
  var epoch: UInt32 {
    UInt32(truncatingIfNeeded: SplitMix.mix(holder.bits &+ UInt64(counter) &* SplitMix.step))
  }
}

extension SessionState {
  /// What another state is to this one.
  enum Relation {
    /// This one follows it, or is it.
    case older
    /// It follows this one: who wrote it knew all that people had changed in this one.
    case newer
    /// Both follow an older one, each by itself: who wrote them were cut off from each other, or wrote at once.
    case beside
  }

  /// What another state is to this one.
  func relation(of other: SessionState) -> Relation {
    if other.version.counter == 0 { return .older }
    if version.counter == 0 { return .newer }
    if other.version.epoch == version.epoch, other.ancestors == ancestors {
      return other.version.revision > version.revision ? .newer : .older
    }
    if other.follows(self) { return .newer }
    return follows(other) ? .older : .beside
  }

  private func follows(_ other: SessionState) -> Bool {
    let epoch = other.version.epoch
    return ancestors.contains { $0.epoch == epoch && $0.revision >= other.lastChange }
  }

  /// Begins an epoch that follows this state, and another one beside it if there is one.
  mutating func begin(_ next: StateVersion, after other: SessionState? = nil) {
    var list: [StateAncestor] = []
    for state in [self, other].compactMap({ $0 }) where state.version.counter > 0 {
      list.append(StateAncestor(state.version))
    }
    let (mine, theirs) = (ancestors, other?.ancestors ?? [])
    for place in 0..<StateAncestor.most {
      for ancestor in [mine, theirs].compactMap({ place < $0.count ? $0[place] : nil })
      where !list.contains(ancestor) {
        list.append(ancestor)
      }
    }
    ancestors = Array(list.prefix(StateAncestor.most))
    (version, lastChange) = (next, next.revision)
  }

  /// Whether it says the same of the music and of who may conduct, whichever epoch it is of.
  func isSame(as other: SessionState) -> Bool {
    (holderInstallation, isHeld, timeline, pattern, policy, endedSilence)
      == (
        other.holderInstallation, other.isHeld, other.timeline, other.pattern, other.policy,
        other.endedSilence
      )
  }

  /// Whether its rhythm runs, or is about to.
  var isPlaying: Bool { timeline?.last.isPlaying ?? false }

  /// Whether members that have it adopt another one by themselves, which goes on beside it.
  func comes(to other: SessionState) -> Bool {
    policy.permits(other.holderInstallation) && yields(to: other, isRace: false)
  }

  /// Whether members that have it adopt a state beside it by themselves.
  ///
  /// Never from a rhythm that runs to other music, nor to weaker rules, nor to other gates of the same rank; unless both
  /// were written at once, when none is established yet. Of the rest the stricter one goes on, then, unless both were
  /// written at once, the one that plays, then the higher version: any two members come to the same.
  ///
  /// - Parameter isRace: whether both were written at once, by members that hear each other.
  func yields(to other: SessionState, isRace: Bool) -> Bool {
    guard other.policy.rank >= policy.rank else { return false }
    if !isRace {
      if isPlaying, other.timeline != timeline { return false }
      if other.policy.rank == policy.rank, other.policy.gates != policy.gates { return false }
    }
    return other.weight(isRace: isRace) > weight(isRace: isRace)
  }

  /// Of two states the one with the higher weight goes on.
  ///
  /// In a race it does not count which of them plays: a holder may stop its rhythm in the race, so an older revision
  /// of its epoch would win over a state that wins over the newer revision.
  private func weight(isRace: Bool) -> (Int32, Int, Int, StateVersion) {
    // A holder that its own policy shuts out is no authority.
    (policy.rank, policy.permits(holderInstallation) ? 1 : 0, isPlaying && !isRace ? 1 : 0, version)
  }
}
