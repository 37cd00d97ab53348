/// The treatment of messages that arrive faster than the callbacks of their address handle them.
public enum NetPolicy: Sendable, Equatable {
  /// Each message is delivered, in order of arrival; if a queue is full, the message is dropped and counted.
  case every
  /// As `every`, but no message is delivered after a later message of the same sender.
  ///
  /// A message's time is its time tag, or its arrival if it has no time tag. A message is dropped and counted if its
  /// time is earlier than that of a delivered message of the same sender.
  ///
  /// The order is kept for the first 256 senders only, which `MoNet.statistics` counts separately. If another
  /// callback for the same address has the policy `every`, all callbacks for this address get every message.
  case ordered
  /// Only the newest message waits: a new message replaces the waiting message, which is counted as dropped.
  ///
  /// This policy suits faders and sensors, since only their latest value matters. Messages of this policy and
  /// messages of the other policies are delivered in turn, so that a fader does not wait behind all other messages.
  case latest
}

/// The treatment of a message whose time tag has passed when it arrives.
public enum NetLate: Sendable, Equatable {
  /// The message is delivered immediately, and counted as late.
  case play
  /// A message that is late by more than the given number of seconds is dropped, and counted as late and as dropped.
  case dropAfter(Double)

  /// The treatment that drops every late message.
  public static let drop = NetLate.dropAfter(0)
}
