import MoCore

/// A member hears no other member any more, although not all have said goodbye: it is cut off, or they are.
public struct LostContact: Hashable, Sendable {
  /// Seconds since any member was heard, at least 1.8.
  public var seconds: Double
  /// How far this member's beat may be off by now, in milliseconds; nil if the room goes by its clock.
  public var boundMilliseconds: Double?
}

extension SessionCore {
  /// How long no member has been heard; nil while one is, before one was, and a quarter of an hour after.
  package func lostContact(at now: HostTime) -> LostContact? {
    guard let lastContact, case let seconds = now.seconds(since: lastContact),
      seconds >= Self.absence, seconds < NameBook.memory
    else { return nil }
    let bound = errorBound(at: now) * 1e-6
    return LostContact(seconds: seconds, boundMilliseconds: isKeeper || !bound.isFinite ? nil : bound)
  }

  /// The members that were gone without a word in the last quarter of an hour, and have not come back.
  package func missing(at now: HostTime) -> [UnconfirmedMember] {
    names.vanished(at: now).sorted { ($0.name, $0.member) < ($1.name, $1.member) }
  }
}
