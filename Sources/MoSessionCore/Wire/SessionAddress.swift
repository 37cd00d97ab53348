/// The addresses of the protocol, with the types of their values and their delivery.
///
/// `Docs/OSC-ADDRESSES.md` describes the addresses; a test checks that the page agrees with this type.
public enum SessionAddress: String, Sendable, CaseIterable {
  case hello = "/momu/hello"
  case prove = "/momu/prove"
  case bye = "/momu/bye"
  case who = "/momu/who"
  case ping = "/momu/clock/ping"
  case pong = "/momu/clock/pong"
  case state = "/momu/state"
  case heard = "/momu/heard"
  case panic = "/momu/panic"
  case panicked = "/momu/panicked"
  case follow = "/momu/follow"
  case beat = "/momu/beat"
  case hit = "/momu/play/hit"
  case note = "/momu/play/note"
  case melody = "/momu/play/melody"
  case parameter = "/momu/play/parameter"
  case gesture = "/momu/play/gesture"
  case cells = "/momu/play/cells"
  case cue = "/momu/play/cue"
  case text = "/momu/play/text"
  case got = "/momu/play/got"
  case askCells = "/momu/cells/ask"
  case activity = "/momu/activity"
  case signed = "/momu/signed"
  case askHealth = "/momu/health/ask"
  case health = "/momu/health"

  /// The version of the protocol; messages of other versions are dropped.
  ///
  /// The version is the first value of every message, except `follow` and `beat`, which programs outside the session
  /// use.
  public static let version: Int32 = 2

  /// The OSC types of the values in messages to this address.
  ///
  /// Types in parentheses may be absent or, as `(ffff)` for the notes of a melody, occur several times.
  public var types: String {
    switch self {
    case .hello: "ishhsssiihhhihihhihiiiiffffhfsbhhihh"
    case .prove: "ihhhi"
    case .bye: "ish"
    case .who: "isb"
    case .ping: "ihhihihihhihiiii"
    case .pong: "ihhihhhihihhihiiiihhdd"
    case .state: "ihihihihhhhii(hddddiiiidd)(fii)(b)(b)(hi)(i)"
    case .heard: "ihihi"
    case .panic: "ihi"
    case .panicked: "ihi(hsi)"
    case .follow: "i(i)"
    case .beat: "iffiif"
    case .hit: "ihhiiihidfi(s)"
    case .note: "ihhiiihidfff(s)"
    case .gesture: "ihhiiihidfff"
    case .melody: "ihhiiihidf(ffff)"
    case .parameter: "ihhiiihidsf(s)"
    case .cells: "ihhiiihids(hh)"
    case .cue, .text: "ihhiiihidis"
    case .got: "ihhb"
    case .askCells, .askHealth: "ihh"
    case .health: "ihhsiifffi"
    case .activity: "ihhif"
    case .signed: "ihbb"
    }
  }

  /// The way in which messages to this address are delivered.
  public var delivery: Delivery {
    switch self {
    case .state, .panic: .acknowledged
    case .hit, .note, .melody, .cells, .cue, .text: .ordered
    case .gesture: .bestEffort
    case .hello, .prove, .bye, .who, .ping, .pong, .heard, .panicked, .follow, .beat, .parameter, .got,
      .activity, .askCells, .signed, .askHealth, .health:
      .latestWins
    }
  }

  /// A way of delivering messages.
  public enum Delivery: String, Sendable {
    /// A message is not acknowledged; if the message is lost, a later message replaces it.
    case latestWins = "latest wins"
    /// A message is retransmitted until it is acknowledged.
    case acknowledged = "acknowledged"
    /// A message is retransmitted until it is acknowledged, and delivered once and in order.
    case ordered = "ordered"
    /// A message is sent once; if the message is lost, no later message replaces it.
    case bestEffort = "best effort"
  }
}
