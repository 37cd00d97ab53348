/// One option that every program has: how it is typed, what it takes, what it is for.
package struct Option: Sendable {
  /// What follows the option.
  enum Value: Sendable, Equatable {
    case none
    case text(String)
    case number(String)
    case wholeNumber(String)

    /// The word that stands for the value in the help text.
    var placeholder: String? {
      switch self {
      case .none: nil
      case .text(let word), .number(let word), .wholeNumber(let word): word
      }
    }
  }

  let name: String
  let value: Value
  let help: String

  /// As typed: `--record-tape`.
  var flag: String { "--\(name)" }

  /// The environment variable that does the same: `MOMU_RECORD_TAPE`.
  var variable: String { "MOMU_" + name.uppercased().replacing("-", with: "_") }

  /// The key in the configuration file: the option's own name.
  var key: String { name }

  /// The one table of the options that all programs share; help, parsing, variables and configuration read it.
  static let table: [Option] = [
    Option(
      name: "audio", value: .text("DEVICE"),
      help: "where sound goes: default, hw:1, plughw:1, virtual, wav:FILE, none"),
    Option(
      name: "accel", value: .text("SOURCE"),
      help: "what shakes: evdev:PATH, keys, net, sim:still, sim:shake, sim:tilt, tape:FILE"),
    Option(
      name: "net", value: .text("SOURCE"),
      help: "where messages come from: udp:6449 (a port), tape:FILE, none"),
    Option(name: "room", value: .text("NAME"), help: "the room to play in, with those who name the same"),
    Option(name: "name", value: .text("NAME"), help: "what others see you as"),
    Option(
      name: "conductor-only", value: .text("ID"),
      help: "let only one installation conduct: the ID that momu session shows"),
    Option(
      name: "trim", value: .number("MS"),
      help: "milliseconds by which this device sounds too late; negative where too early"),
    Option(name: "soundfont", value: .text("FILE"), help: "recorded sounds in place of the piano's own"),
    Option(name: "seconds", value: .number("N"), help: "stop after N seconds"),
    Option(
      name: "offline", value: .none, help: "render as fast as possible, in counted time; needs no device"),
    Option(name: "seed", value: .wholeNumber("N"), help: "make everything random repeat exactly"),
    Option(name: "record-tape", value: .text("FILE"), help: "record the readings to a tape"),
    Option(
      name: "check-realtime", value: .none,
      help: "stop at the first thing the audio callback must not do, and show where"),
    Option(name: "list-devices", value: .none, help: "show what --audio and --accel can name here"),
    Option(name: "quiet", value: .none, help: "no meter and no notices"),
    Option(name: "help", value: .none, help: "show this text"),
  ]
}
