/// The number of datagrams that a locked room has received, by outcome.
public struct SealedCounts: Hashable, Sendable {
  /// Accepted datagrams: sealed with the room's key, received for the first time, from a sender that is present.
  public var taken = 0
  /// Dropped datagrams that were for another room, or were not sealed.
  public var foreign = 0
  /// Dropped datagrams for a room of this name that were sealed with another key, or changed in transit.
  public var forged = 0
  /// Dropped datagrams with the room's key that were received before, or are too old to tell whether they were.
  public var replayed = 0
  /// Dropped datagrams with the room's key from a sender that has not yet proved that it is present.
  public var unproven = 0

  /// Creates counts of 0.
  public init() {}
}
