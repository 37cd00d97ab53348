/// The number of datagrams that a locked room has received, by outcome.
package struct SealedCounts: Hashable, Sendable {
  /// The number of accepted datagrams: with the room's key, received for the first time, from a sender that is present.
  package var taken = 0
  /// The number of dropped datagrams that were for another room, or were not sealed.
  package var foreign = 0
  /// The number of dropped datagrams for a room of this name that were sealed with another key, or changed in transit.
  package var forged = 0
  /// The number of dropped datagrams with the room's key that were received before, or are so old that this is not
  /// known.
  package var replayed = 0
  /// The number of dropped datagrams with the room's key from a sender that has not yet proved that it is present.
  package var unproven = 0

  /// Creates counts of 0.
  package init() {}
}
