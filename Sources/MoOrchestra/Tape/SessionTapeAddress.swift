import MoSessionCore

/// The addresses on a session's tape, with the types of their values.
///
/// Docs/Tapes.md also describes the addresses; a test compares the two lists. The first value of each message is the
/// session's beat at the time of the message, counted from bar 1. It is NaN while no rhythm is known.
package enum SessionTapeAddress: String, Sendable, CaseIterable {
  case room = "/momu/session/room"
  case clock = "/momu/session/clock"
  case member = "/momu/session/member"
  case state = "/momu/session/state"
  case activity = "/momu/session/activity"
  case panic = "/momu/session/panic"
  case unpanic = "/momu/session/unpanic"
  case heardHit = "/momu/session/heard/hit"
  case heardNote = "/momu/session/heard/note"
  case heardMelody = "/momu/session/heard/melody"
  case heardParameter = "/momu/session/heard/parameter"
  case heardGesture = "/momu/session/heard/gesture"
  case heardCells = "/momu/session/heard/cells"
  case heardCue = "/momu/session/heard/cue"
  case heardText = "/momu/session/heard/text"
  case sentHit = "/momu/session/sent/hit"
  case sentNote = "/momu/session/sent/note"
  case sentMelody = "/momu/session/sent/melody"
  case sentParameter = "/momu/session/sent/parameter"
  case sentGesture = "/momu/session/sent/gesture"
  case sentCells = "/momu/session/sent/cells"
  case sentCue = "/momu/session/sent/cue"
  case sentText = "/momu/session/sent/text"

  /// The OSC type tags of the address's values, such as `dhf`; tags in parentheses may repeat any number of times.
  package var types: String {
    switch self {
    case .room: "dshs"
    case .clock: "dhd"
    case .member: "dhhssi(sf)"
    // The same as between members, without the version.
    case .state: "d\(SessionAddress.state.types.dropFirst())"
    case .activity: "dhf"
    case .panic: "dh"
    case .unpanic: "d"
    default: "\(isSent ? "dsihd" : "dhhddf")\(tail)"
    }
  }

  /// The OSC type tags of the values that are specific to this kind of play; empty for an address that is not a play's.
  ///
  /// The first nine values of a message between members are left out, since every play has them.
  private var tail: Substring { play?.types.dropFirst(Self.envelope) ?? "" }

  /// The number of values with which every play between members begins; on a tape, a play does not have these values.
  private static let envelope = 9

  var isSent: Bool { rawValue.hasPrefix("/momu/session/sent/") }

  /// The OSC address with which members send this kind of play to each other; nil for an address that is not a play's.
  var play: SessionAddress? {
    switch self {
    case .heardHit, .sentHit: .hit
    case .heardNote, .sentNote: .note
    case .heardMelody, .sentMelody: .melody
    case .heardParameter, .sentParameter: .parameter
    case .heardGesture, .sentGesture: .gesture
    case .heardCells, .sentCells: .cells
    case .heardCue, .sentCue: .cue
    case .heardText, .sentText: .text
    case .room, .clock, .member, .state, .activity, .panic, .unpanic: nil
    }
  }

  /// Creates the tape's address for a play that members send with the address `play`; nil if a tape has no such play.
  init?(_ play: SessionAddress, isSent: Bool) {
    guard let found = Self.allCases.first(where: { $0.play == play && $0.isSent == isSent }) else {
      return nil
    }
    self = found
  }
}
