/// The number of datagrams that a locked room has received, by outcome.
package struct SealedCounts: Hashable, Sendable {
  /// Accepted datagrams: sealed with the room's key, received for the first time, from a sender that is present.
  package var taken = 0
  /// Dropped datagrams that were for another room, or were not sealed.
  package var foreign = 0
  /// Dropped datagrams for a room of this name that were sealed with another key, or changed in transit.
  package var forged = 0
  /// Dropped datagrams with the room's key that were received before, or are too old to tell whether they were.
  package var replayed = 0
  /// Dropped datagrams with the room's key from a sender that has not yet proved that it is present.
  package var unproven = 0

  /// Creates counts of 0.
  package init() {}
}
