/// The treatment of messages for an address that come faster than its callbacks handle them.
public enum NetPolicy: Sendable, Equatable {
  /// Each message is delivered, in order of arrival; if there is no room, it is dropped and counted.
  case every
  /// As `every`, but in order of time.
  ///
  /// A message is dropped and counted if its time tag is earlier than that of a delivered message of the same sender.
  case ordered
  /// Only the newest message waits: it replaces the one before it, which is counted as dropped.
  ///
  /// This policy suits faders and sensors, since only their latest value matters. The message does not wait behind
  /// all messages of other addresses, but takes turns with them.
  case latest
}

/// The treatment of a message whose time tag has passed when it arrives.
public enum NetLate: Sendable, Equatable {
  /// The message is delivered immediately, and counted as late.
  case play
  /// The message is dropped if it is later than the given number of seconds, and counted as late and as dropped.
  case dropAfter(Double)

  /// Drops every late message.
  public static let drop = NetLate.dropAfter(0)
}
