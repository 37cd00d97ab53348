import MoCore

/// The schedule of hellos to all members, and their methods.
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

  /// Records a hello to all; the first three are close together, since a newcomer's multicast is easily lost.
  mutating func saidHello(at now: HostTime, interval: Double) {
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

/// The way a member was found: the steps of discovery, in order.
public enum DiscoveryMethod: Int32, Sendable, CaseIterable {
  /// It answered our own hello.
  case answer = 0
  /// A multicast hello.
  case multicast = 1
  /// A broadcast hello, if multicast does not get through.
  case broadcast = 2
  /// A remembered address of an earlier session.
  case remembered = 3
  /// A person typed its address.
  case typed = 4
  /// The Avahi daemon listed it.
  case avahi = 5
}
