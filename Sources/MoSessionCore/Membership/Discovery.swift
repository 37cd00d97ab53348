import MoCore

/// The schedule of discovery: multicast and broadcast hellos to all, and probes of typed or remembered addresses.
struct Discovery: Sendable {
  var start: HostTime
  var remembered: [SessionEndpoint]
  var typed: [SessionEndpoint]
  var nextHello: HostTime
  var nextBroadcast: HostTime
  var nextProbe: HostTime
  private(set) var hellos = 0

  /// Seconds that a member listens before it founds a room of its own.
  let listening: Double

  init(now: HostTime, listening: Double, remembered: [SessionEndpoint], typed: [SessionEndpoint]) {
    start = now
    self.listening = listening
    (self.remembered, self.typed) = (remembered, typed)
    (nextHello, nextProbe) = (now, now)
    nextBroadcast = now.advanced(bySeconds: 1)
  }

  var next: HostTime { min(nextHello, min(nextBroadcast, nextProbe)) }

  var foundsAt: HostTime { start.advanced(bySeconds: listening) }

  /// Sets the time of the next hello to all members, after a hello was sent at `now`.
  ///
  /// The first three hellos are close together, since a newcomer's multicast is easily lost.
  ///
  /// - Parameter interval: seconds from the third hello to the fourth, and between later hellos.
  mutating func scheduleNextHello(at now: HostTime, interval: Double) {
    hellos += 1
    nextHello = now.advanced(bySeconds: hellos == 1 ? 0.12 : hellos == 2 ? 0.25 : interval)
  }

  mutating func shift(by nanoseconds: Int64) {
    start.shift(by: nanoseconds)
    nextHello.shift(by: nanoseconds)
    nextBroadcast.shift(by: nanoseconds)
    nextProbe.shift(by: nanoseconds)
  }
}

/// The way in which a member was found; the cases are the steps of discovery, in order.
///
/// When two members of a locked room find each other, both repeat their last hello to all members. So the method is
/// then often `multicast` or `broadcast`, whatever the first step was.
public enum DiscoveryMethod: Int32, Sendable, CaseIterable {
  /// The member answered our own hello.
  ///
  /// For example, a user typed our address on the other machine, and the member found us there.
  case answer = 0
  /// The member's multicast hello arrived.
  case multicast = 1
  /// The member's broadcast hello arrived, because multicast did not get through.
  case broadcast = 2
  /// The member answered at an address that this machine remembered from an earlier session.
  case remembered = 3
  /// The member answered at an address that a user typed on this machine.
  ///
  /// A member receives on the port that all members share, and on a port of its own. If the user typed an address with
  /// the member's own port, this machine records `answer`, and the member that was found records `typed`.
  case typed = 4
  /// The member was found at an address that Avahi or a third member gave.
  ///
  /// Either this member received the address of the found member, or the found member received the address of this
  /// member.
  case avahi = 5
}
