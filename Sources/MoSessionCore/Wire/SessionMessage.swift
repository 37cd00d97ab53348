import MoCore

/// A message of the protocol; `SessionAddress` defines its format.
package enum SessionMessage: Hashable, Sendable {
  case hello(Hello)
  case prove(Proof)
  case bye(room: String, from: MemberID)
  case ping(Ping)
  case pong(Pong)
  case state(from: MemberID, SessionState)
  case heard(from: MemberID, StateVersion)
  case panic(from: MemberID, number: Int32)
  case panicked(from: MemberID, number: Int32, reported: [UnconfirmedMember])
  case follow(port: Int32, key: Int32)
  case beat(BeatMessage)
  case who(room: String)
  case play(PlayMessage)
  case got(Acks)
  case activity(Activity)
  case askCells(from: MemberID, to: MemberID)
  case signed(from: MemberID, SignedMessage)
  case askHealth(from: MemberID, to: MemberID)
  case health(from: MemberID, to: MemberID, MemberHealth)

  /// A report that a member is here, with its state: sent to all members about once a second, and in answer to a hello.
  ///
  /// In a room of over 40 members, hellos to all members are less frequent.
  package struct Hello: Hashable, Sendable {
    var room: String
    package var identity: SessionIdentity
    var method: DiscoveryMethod
    /// Whether the receivers are asked to send a hello in return.
    var wantsAnswer: Bool
    /// Whether the sender takes part without being shown.
    var isHidden: Bool
    /// Whether the sender records a tape.
    var isRecording = false
    /// The time of sending, by the sender's host clock.
    package var sent: HostTime
    package var summary: StateSummary
    package var report: Report
    /// The token that the receiver must return, as a proof that datagrams reach the receiver.
    package var token: Int64 = 0
    /// The token that the sender got from the receiver and returns here; 0 for none, as in a hello to all members.
    package var echo: Int64 = 0
    /// The hash of all shared data that the sender has (`SharedStore.digest`); 0 without shared data.
    package var digest: UInt64 = 0
    /// The activity of the sender, 0…1.
    package var activity: Float = 0
    /// The instrument that the sender plays; empty if not reported.
    package var plays = ""
    /// Some of the members that the sender has heard lately.
    package var others: [RelayedMember] = []
    /// The number of the call for silence in force; 0 for none.
    var silence: UInt32 = 0
    /// The member that called for silence; `nobody` if no call is in force.
    var silencer = MemberID.nobody
    /// The member ID that the sender's program had before it was killed; `nobody` if the program was not killed.
    package var replaced = MemberID.nobody

    /// Whether the hello is for all members.
    var isMulticast: Bool { (method == .multicast || method == .broadcast) && echo == 0 }
  }

  /// A message with two tokens: `token`, which the receiver must return, and `echo`, which the receiver sent before.
  ///
  /// If the receiver sent no token before, `echo` is 0.
  package struct Proof: Hashable, Sendable {
    var from: MemberID
    package var token: Int64
    var echo: Int64
    /// The method of the first hello or probe between sender and receiver.
    var method: DiscoveryMethod

    package init(from: MemberID, token: Int64, echo: Int64, method: DiscoveryMethod) {
      (self.from, self.token, self.echo, self.method) = (from, token, echo, method)
    }
  }

  package struct Ping: Hashable, Sendable {
    var from: MemberID
    var to: MemberID
    var number: Int32
    var sent: HostTime
    var summary: StateSummary

    package init(from: MemberID, to: MemberID, number: Int32, sent: HostTime, summary: StateSummary) {
      (self.from, self.to, self.number, self.sent, self.summary) = (from, to, number, sent, summary)
    }
  }

  package struct Pong: Hashable, Sendable {
    var from: MemberID
    var to: MemberID
    var number: Int32
    var sent: HostTime
    var received: HostTime
    var answered: HostTime
    var summary: StateSummary
    /// The sender's conversion from its host clock to the shared clock; nil while the sender knows none.
    package var map: ClockMap?

    package init(
      from: MemberID, to: MemberID, number: Int32, sent: HostTime, received: HostTime, answered: HostTime,
      summary: StateSummary, map: ClockMap? = nil
    ) {
      (self.from, self.to, self.number, self.sent, self.received, self.answered, self.summary, self.map) = (
        from, to, number, sent, received, answered, summary, map
      )
    }
  }

  /// A report of how much a member moves.
  package struct Activity: Hashable, Sendable {
    var from: MemberID
    var to: MemberID
    var number: Int32
    var level: Float

    package init(from: MemberID, to: MemberID, number: Int32, level: Float) {
      (self.from, self.to, self.number, self.level) = (from, to, number, level)
    }
  }

  /// The position in the music at the time of arrival, for programs that only follow the beat.
  package struct BeatMessage: Hashable, Sendable {
    var bar: Int32
    var beat: Float
    var tempo: Float
    var isPlaying: Bool
    var beatsPerBar: Int32
    var total: Float

    package init(bar: Int32, beat: Float, tempo: Float, isPlaying: Bool, beatsPerBar: Int32, total: Float) {
      (self.bar, self.beat, self.tempo, self.isPlaying, self.beatsPerBar, self.total) = (
        bar, beat, tempo, isPlaying, beatsPerBar, total
      )
    }
  }
}

extension SessionMessage {
  /// The sender and the receiver of a message that counts only if the sender has proved its address.
  ///
  /// The receiver is nil if the message names none. The result is nil for all other messages.
  var parties: (from: MemberID, to: MemberID?)? {
    switch self {
    case .ping(let ping): (ping.from, ping.to)
    case .pong(let pong): (pong.from, pong.to)
    case .state(let from, _), .heard(let from, _), .panic(let from, _), .panicked(let from, _, _): (from, nil)
    case .activity(let activity): (activity.from, activity.to)
    case .askCells(let from, let to), .askHealth(let from, let to), .health(let from, let to, _): (from, to)
    case .hello, .prove, .bye, .who, .follow, .beat, .play, .got, .signed: nil
    }
  }
}

/// A summary of the state and the clock that a member knows, so that others see which members lack newer data.
package struct StateSummary: Hashable, Sendable {
  var version: StateVersion
  /// The member's time base; nil before the member has found or founded a room.
  package var base: TimeBase?
  /// The number of the keeper's newest hello to all members that the member knows of, directly or from other members.
  var pulse: Int32 = 0
  /// The keeper's description of its part of the room at the time of `pulse`.
  package var standing = PartStanding()
  /// The distance from the keeper's clock: 0 for the keeper, 1 for a member that measures the keeper's clock itself.
  ///
  /// The value is `mostStratum` before the member knows the shared clock.
  var stratum: Int32 = mostStratum

  package init(
    version: StateVersion, base: TimeBase? = nil, pulse: Int32 = 0, standing: PartStanding = PartStanding(),
    stratum: Int32 = mostStratum
  ) {
    (self.version, self.base, self.pulse, self.standing, self.stratum) = (
      version, base, pulse, standing, stratum
    )
  }

  static let mostStratum: Int32 = 16
}

/// The accuracy of a member's clock, by its own measurement.
public struct Report: Hashable, Sendable {
  /// The largest possible difference between the member's beat and the keeper's beat, in milliseconds.
  ///
  /// This bound holds on any network. The bound is infinite before it is known.
  public var boundMilliseconds: Float
  /// The difference between the member's and the keeper's beat that is rarely exceeded on a symmetric network, in ms.
  ///
  /// On such a network, the fastest packets take equally long in both directions, and 95 % of the differences are
  /// smaller than this value.
  public var symmetricMilliseconds: Float
  /// The smoothed round-trip time to the keeper, in milliseconds.
  ///
  /// If the member does not hear the keeper, the value is the round-trip time to the member whose clock it measures
  /// instead.
  public var roundTripMilliseconds: Float
  /// The share of clock exchanges (ping and pong) without an answer, 0…1.
  public var loss: Float

  /// Creates a report from its parts.
  public init(
    boundMilliseconds: Float = .infinity, symmetricMilliseconds: Float = .infinity,
    roundTripMilliseconds: Float = 0, loss: Float = 0
  ) {
    (self.boundMilliseconds, self.symmetricMilliseconds) = (boundMilliseconds, symmetricMilliseconds)
    (self.roundTripMilliseconds, self.loss) = (roundTripMilliseconds, loss)
  }
}
