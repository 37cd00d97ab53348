/// The number of datagrams that a locked room has received, by outcome.
public struct SealedCounts: Hashable, Sendable {
  /// Accepted: sealed with the room's key, by a sender that is present, for the first time.
  public var taken = 0
  /// Dropped: for another room, or not sealed.
  public var foreign = 0
  /// Dropped: for a room of this name, but sealed with another key, or changed in transit.
  public var forged = 0
  /// Dropped: sealed with the room's key, but received before, or too old to tell.
  public var replayed = 0
  /// Dropped: sealed with the room's key, by a sender that has not yet proved that it is present.
  public var unproven = 0

  /// Creates counts of 0.
  public init() {}
}
