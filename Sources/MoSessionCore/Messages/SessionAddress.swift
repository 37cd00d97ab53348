/// The addresses of the protocol, with the types of their values and how they are delivered.
///
/// Docs/OSC-ADDRESSES.md describes them; a test holds the two together.
public enum SessionAddress: String, Sendable, CaseIterable {
  case hello = "/momu/hello"
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

  /// The protocol's version, the first value of every message but those for outsiders; others are left unheard.
  public static let version: Int32 = 1

  /// The types of its values.
  ///
  /// A state has one to three segments, each of the types in parentheses.
  public var types: String {
    switch self {
    case .hello: "ishhsssiihihihhihffff"
    case .bye: "ish"
    case .who: "is"
    case .ping: "ihhihihihhih"
    case .pong: "ihhihhhihihhihhhdd"
    case .state: "ihihihihhi(hddddiiiidd)"
    case .heard: "ihihi"
    case .panic, .panicked: "ihi"
    case .follow: "i"
    case .beat: "iffiif"
    }
  }

  /// How it reaches whom it is for.
  public var delivery: Delivery {
    switch self {
    case .state, .panic: .acknowledged
    case .hello, .bye, .who, .ping, .pong, .heard, .panicked, .follow, .beat: .latestWins
    }
  }

  /// How a message is delivered.
  public enum Delivery: String, Sendable {
    /// Sent once; the next one makes up for a lost one.
    case latestWins = "latest wins"
    /// Sent again until it is acknowledged.
    case acknowledged = "acknowledged"
  }
}
