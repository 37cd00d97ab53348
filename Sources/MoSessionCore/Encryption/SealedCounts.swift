/// What came into a locked room and was not taken, by why.
public struct SealedCounts: Hashable, Sendable {
  /// Taken: sealed with the room's key, by a sender that is there, for the first time.
  public var taken = 0
  /// For another room, or not sealed at all.
  public var foreign = 0
  /// For a room of this name, but sealed with another key, or changed on its way.
  public var forged = 0
  /// Sealed with the room's key, but seen before, or too old to tell.
  public var replayed = 0
  /// Sealed with the room's key by somebody who has not yet shown to be there.
  public var unproven = 0

  /// Nothing yet.
  public init() {}
}
