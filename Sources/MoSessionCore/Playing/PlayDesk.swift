import MoTime

/// What is being played: on its way out, on its way in, and waiting for its beat.
struct PlayDesk: Sendable {
  var outboxes: [MemberID: PlayOutbox] = [:]
  var latest: [MemberID: [LatestOutbox]] = [:]
  var inboxes: [MemberID: PlayInbox] = [:]
  var held: [HeldPlay] = []
  var heard: [SessionHeard] = []
  /// What those who are here have not got.
  var losses: [MemberID: PlayLosses] = [:]
  /// Counts streams, and what is said without being acknowledged.
  var streams: Int32 = 0
  var numbers: Int32 = 0
  /// To whom no gesture is sent before when.
  var nextGesture: [MemberID: HostTime] = [:]
  /// Nothing is to be sent again before.
  var nextSend = HostTime.distantFuture
  /// Nothing that waits for its beat is due before.
  var nextHeld = HostTime.distantFuture
  /// Nothing that somebody has not got is to be told before.
  var nextLoss = HostTime.distantFuture

  /// Most that wait for their beats, of all and of one sender.
  static let mostHeld = 1024
  static let mostHeldOfOne = 128
  /// Most that wait to be taken out; more are dropped.
  static let mostHeard = 4096
  /// Seconds from one gesture to the next.
  static let gestureInterval = 0.02

  var next: HostTime { min(nextSend, min(nextHeld, nextLoss)) }

  mutating func shift(by nanoseconds: Int64) {
    for place in outboxes.indices { outboxes.values[place].shift(by: nanoseconds) }
    latest = latest.mapValues { list in
      list.map { entry in
        var entry = entry
        entry.next = entry.next.advanced(byNanoseconds: nanoseconds)
        entry.sent = .distantPast
        return entry
      }
    }
    for place in held.indices {
      held[place].arrived = held[place].arrived.advanced(byNanoseconds: nanoseconds)
    }
    if nextSend != .distantFuture { nextSend = nextSend.advanced(byNanoseconds: nanoseconds) }
    if nextHeld != .distantFuture { nextHeld = nextHeld.advanced(byNanoseconds: nanoseconds) }
    for place in losses.indices { losses.values[place].shift(by: nanoseconds) }
    if nextLoss != .distantFuture { nextLoss = nextLoss.advanced(byNanoseconds: nanoseconds) }
    nextGesture = [:]
  }
}

/// Something that waits for its beat.
struct HeldPlay: Sendable {
  var from: MemberID
  /// The sender's, whose gates count though the sender may have left when the beat comes.
  var installation: MemberID
  var play: SessionPlay
  var stamp: PlayStamp
  var arrived: HostTime

  /// Seconds for which it waits where its rhythm is not known here.
  static let patience = 2.0
  /// Seconds ahead for which something can be played; what is meant for later is taken for never.
  static let horizon = 120.0
  /// Seconds before its beat at which it is handed over.
  ///
  /// Later than changes of the tempo are announced, so that the moment stands; sooner than sound is made.
  static let ahead = 0.15
  /// Seconds after which it is looked whether the tempo has moved the moment.
  static let look = 0.1
  /// Seconds that nobody hears something late by.
  static let tolerance = 0.000_5
}
