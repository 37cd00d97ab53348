import MoTime

/// What is being played: on its way out, on its way in, and waiting for its beat.
struct PlayDelivery: Sendable {
  var outboxes: [PlayLine: PlayOutbox] = [:]
  /// The newest values on their way, to `nobody` for those that are called to all.
  var latest: [MemberID: [LatestOutbox]] = [:]
  /// What is sent once, and waits for others that go the same way; to `nobody` for calls to all.
  var loose: [MemberID: [PlayMessage]] = [:]
  /// How long it takes to whom and back.
  var trips: [MemberID: RoundTrip] = [:]
  /// Those who do not hear our calls to all, as far as is known.
  var deaf: Set<MemberID> = []
  /// Keeps within bounds how often a member is told where to go on: anybody may ask for it in its name.
  var corrections: [MemberID: RateLimit] = [:]
  /// Whether what is for all goes by calls.
  var isCalling = false
  var callDelays = CallDelays()
  var inboxes: [MemberID: PlayInbox] = [:]
  /// To whom something is to be acknowledged when.
  var owed: [MemberID: HostTime] = [:]
  /// When calls are acknowledged to all.
  var nextReceipts = HostTime.distantFuture
  /// Whose calls are acknowledged next, where they are too many for one message.
  var nextSender = MemberID.nobody
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

  /// So many who hear our calls are told by one; fewer are told one by one, which is surer on Wi-Fi.
  static let manyCalled = 9
  /// Where so few are left, each is told alone again.
  static let fewestCalled = 5
  /// Seconds for which an acknowledgement waits for others, or for something to go with.
  static let receiptPause = 0.005
  /// Most times a second that a member is told where to go on.
  static let mostCorrections = 20
  /// Seconds after which what was not acknowledged does not keep others from being called.
  static let stuck = 1.0

  var next: HostTime { min(nextSend, min(nextHeld, nextLoss)) }

  mutating func shift(by nanoseconds: Int64) {
    for place in outboxes.indices { outboxes.values[place].shift(by: nanoseconds) }
    for list in latest.indices {
      for place in latest.values[list].indices {
        latest.values[list][place].next.shift(by: nanoseconds)
        latest.values[list][place].sent = .distantPast
      }
    }
    for place in owed.indices { owed.values[place].shift(by: nanoseconds) }
    for place in held.indices { held[place].arrived.shift(by: nanoseconds) }
    for place in losses.indices { losses.values[place].shift(by: nanoseconds) }
    nextReceipts.shift(by: nanoseconds)
    nextSend.shift(by: nanoseconds)
    nextHeld.shift(by: nanoseconds)
    nextLoss.shift(by: nanoseconds)
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
  static let timeout = 2.0
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
