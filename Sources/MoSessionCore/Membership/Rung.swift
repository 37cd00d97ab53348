/// How one member came to know of another: the rungs of the ladder that discovery climbs.
public enum Rung: Int32, Sendable, CaseIterable {
  /// It answered our own call.
  case answer = 0
  /// A multicast hello.
  case multicast = 1
  /// A broadcast hello, where multicast does not pass.
  case broadcast = 2
  /// It was here before.
  case remembered = 3
  /// Somebody typed its address.
  case typed = 4
  /// Avahi's daemon named it.
  case avahi = 5
}
