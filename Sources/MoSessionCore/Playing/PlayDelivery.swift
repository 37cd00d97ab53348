import MoCore

/// What is being played: on its way out, on its way in, and waiting for its beat.
struct PlayDelivery: Sendable {
  var outboxes: [PlayLine: PlayOutbox] = [:]
  /// The newest values on their way, to `nobody` for those that are called to all.
  var latest: [MemberID: [LatestOutbox]] = [:]
  /// Messages that are sent once, gathered by receiver; to `nobody` for calls to all.
  var loose: [MemberID: [PlayMessage]] = [:]
  /// The round trip to each member.
  var trips: [MemberID: RoundTrip] = [:]
  /// Members that do not hear our calls to all, as far as is known.
  var deaf: Set<MemberID> = []
  /// Limits how often a member is told where to go on, since any sender may ask for it in its name.
  var corrections: [MemberID: RateLimit] = [:]
  /// Whether what is for all goes by calls.
  var isCalling = false
  var callDelays = CallDelays()
  var inboxes: [MemberID: PlayInbox] = [:]
  /// When each member's messages are to be acknowledged.
  var owed: [MemberID: HostTime] = [:]
  /// When calls are acknowledged to all.
  var nextReceipts = HostTime.distantFuture
  /// The member whose calls are acknowledged next, if there are too many for one message.
  var nextSender = MemberID.nobody
  var held: [HeldPlay] = []
  var heard: [SessionHeard] = []
  /// Messages that members have not received.
  var losses: [MemberID: PlayLosses] = [:]
  /// Count streams, and messages that are not acknowledged.
  var streams: Int32 = 0
  var numbers: Int32 = 0
  /// When the next gesture may be sent to each member.
  var nextGesture: [MemberID: HostTime] = [:]
  /// When something is to be sent.
  var nextSend = HostTime.distantFuture
  /// When something that waits for its beat is due.
  var nextHeld = HostTime.distantFuture
  /// When a loss is to be reported.
  var nextLoss = HostTime.distantFuture

  /// Most that wait for their beats, of all and of one sender.
  static let mostHeld = 1024
  static let mostHeldOfOne = 128
  /// Most that wait to be taken out; more are dropped.
  static let mostHeard = 4096
  /// Seconds from one gesture to the next.
  static let gestureInterval = 0.02

  /// Members from which calls to all are used; fewer are told singly, which is more reliable on Wi-Fi.
  static let manyCalled = 9
  /// Members down to which calls to all go on.
  static let fewestCalled = 5
  /// Seconds for which an acknowledgement waits for others, or for a message to go with.
  static let receiptPause = 0.005
  /// Most corrections a second to one member.
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
