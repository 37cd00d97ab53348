/// What happens to messages for one address that come faster than its callbacks take them.
public enum NetPolicy: Sendable, Equatable {
  /// Every one is delivered, in the order they came; what finds no room is dropped and counted.
  case every
  /// As `every`, but never back in time: of one sender's messages, one whose time tag is earlier than that of
  /// one already delivered is dropped and counted.
  case ordered
  /// Only the newest waits: it takes the place of the one before it, which is counted as dropped. For faders
  /// and sensors, where only the latest value matters. It does not wait behind all the messages of other addresses,
  /// but takes turns with them.
  case latest
}

/// What happens to a message whose time tag has passed when it arrives.
public enum NetLate: Sendable, Equatable {
  /// It is delivered at once, and counted as late.
  case play
  /// It is dropped if it is later than so many seconds, and counted as late and as dropped.
  case dropAfter(Double)

  /// However little it is late, it is dropped.
  public static let drop = NetLate.dropAfter(0)
}
