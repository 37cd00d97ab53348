import MoCore

/// What members say to each other; `SessionAddress` says how it is written.
enum SessionMessage: Hashable, Sendable {
  case hello(Hello)
  case prove(Proof)
  case bye(room: String, from: MemberID)
  case ping(Ping)
  case pong(Pong)
  case state(from: MemberID, SessionState)
  case heard(from: MemberID, StateVersion)
  case panic(from: MemberID, number: Int32)
  case panicked(from: MemberID, number: Int32, told: [UnconfirmedMember])
  case follow(port: Int32, key: Int32)
  case beat(BeatNote)
  case who(room: String)
  case play(PlayMessage)
  case got(Acks)
  case activity(Activity)
  case askCells(from: MemberID, to: MemberID)
  case signed(from: MemberID, SignedMessage)
  case askHealth(from: MemberID, to: MemberID)
  case health(from: MemberID, to: MemberID, MemberHealth)

  /// "I am here": once a second to all, and in answer to another's.
  struct Hello: Hashable, Sendable {
    var room: String
    var identity: SessionIdentity
    var method: DiscoveryMethod
    /// Whether all that hear it are asked to say hello in return.
    var wantsAnswer: Bool
    /// Whether it takes part without being shown.
    var isHidden: Bool
    /// Whether it keeps a tape of what it hears.
    var isRecording = false
    /// When this was said, by the sender's host clock.
    var said: HostTime
    var brief: Brief
    var report: Report
    /// What the receiver has to return, so that what is sent to it is known to arrive.
    var token: Int64 = 0
    /// What the receiver asked this member to return; 0 for nothing, as in a call to all.
    var echo: Int64 = 0
    /// Of all that is shared; 0 for nothing.
    var digest: UInt64 = 0
    /// How much it moves, 0…1.
    var activity: Float = 0
    /// What it plays; empty if it does not say.
    var plays = ""
    /// Some of the members that it has heard lately.
    var others: [MemberPlace] = []
    /// The number of the call for silence that holds in its room; 0 for none.
    var silence: UInt32 = 0
    /// The member that called for silence.
    var silencer = MemberID.nobody
    /// The same program's member before the program was killed; `nobody` if it was not.
    var replaced = MemberID.nobody

    /// Whether it is for all that hear it.
    var isCall: Bool { (method == .multicast || method == .broadcast) && echo == 0 }
  }

  /// A number to be returned, and one that is returned.
  struct Proof: Hashable, Sendable {
    var from: MemberID
    var token: Int64
    var echo: Int64
    /// How the first of the two called the other.
    var method: DiscoveryMethod
  }

  struct Ping: Hashable, Sendable {
    var from: MemberID
    var to: MemberID
    var number: Int32
    var sent: HostTime
    var brief: Brief
  }

  struct Pong: Hashable, Sendable {
    var from: MemberID
    var to: MemberID
    var number: Int32
    var sent: HostTime
    var received: HostTime
    var answered: HostTime
    var brief: Brief
    /// Nil while it knows no shared clock itself.
    var map: ClockMap?
  }

  /// How much a member moves.
  struct Activity: Hashable, Sendable {
    var from: MemberID
    var to: MemberID
    var number: Int32
    var level: Float
  }

  /// For programs that only follow: the music's position as this arrives.
  struct BeatNote: Hashable, Sendable {
    var bar: Int32
    var beat: Float
    var tempo: Float
    var isPlaying: Bool
    var beatsPerBar: Int32
    var total: Float
  }
}

extension SessionMessage {
  /// The member that says it, and the one that it is for, nil for all: of messages that count only from members that have
  /// proved their address; nil for all others.
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

/// What a member knows, in short: so that others see who needs telling.
struct Brief: Hashable, Sendable {
  var version: StateVersion
  /// Nil before it has found or founded a room.
  var base: TimeBase?
  /// The newest sign of life of the keeper that it knows of: counts the keeper's calls to all.
  var pulse: Int32 = 0
  /// What the keeper said of its part with that.
  var standing = PartStanding()
  /// Steps from the keeper's clock to its own: 0 for the keeper, `farthest` before it knows the shared clock.
  var stratum: Int32 = farthest

  static let farthest: Int32 = 16
}

/// How well a member keeps time, as it sees it itself.
public struct Report: Hashable, Sendable {
  /// How far its beat may be from the keeper's, in milliseconds, whatever the network does; infinite before it knows.
  public var boundMilliseconds: Float
  /// The same if the fastest packets take equally long both ways.
  public var symmetricMilliseconds: Float
  /// Smoothed time to the keeper and back, in milliseconds; to the conductor where that tells the keeper's time.
  public var roundTripMilliseconds: Float
  /// The share of exchanges that came to nothing, 0…1.
  public var loss: Float

  /// A report from its parts.
  public init(
    boundMilliseconds: Float = .infinity, symmetricMilliseconds: Float = .infinity,
    roundTripMilliseconds: Float = 0, loss: Float = 0
  ) {
    (self.boundMilliseconds, self.symmetricMilliseconds) = (boundMilliseconds, symmetricMilliseconds)
    (self.roundTripMilliseconds, self.loss) = (roundTripMilliseconds, loss)
  }
}
