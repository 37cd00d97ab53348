/// An option that every program has: its name, its value, its purpose.
package struct RunOption: Sendable {
  /// The value that follows the option.
  package enum Value: Sendable, Equatable {
    case none
    case text(String)
    case number(String)
    case wholeNumber(String)

    /// The placeholder for the value in the help text.
    package var placeholder: String? {
      switch self {
      case .none: nil
      case .text(let word), .number(let word), .wholeNumber(let word): word
      }
    }
  }

  package let name: String
  package let value: Value
  package let help: String

  /// The option of that name; it must be in the table.
  package static func named(_ name: String) -> RunOption {
    guard let option = table.first(where: { $0.name == name }) else { preconditionFailure("no option --\(name)") }
    return option
  }

  /// The option as typed: `--record-tape`.
  package var flag: String { "--\(name)" }

  /// The environment variable with the same effect: `MOMU_RECORD_TAPE`.
  var variable: String { "MOMU_" + name.uppercased().replacing("-", with: "_") }

  /// The key in the configuration file, equal to the option's name.
  var key: String { name }

  /// The table of the options that all programs share; help, parsing, variables and configuration use it.
  package static let table: [RunOption] = [
    RunOption(
      name: "audio", value: .text("DEVICE"),
      help: "where sound goes: default, jack, hw:1, plughw:1, virtual, wav:FILE, none"),
    RunOption(
      name: "rate", value: .wholeNumber("HZ"),
      help: "frames a second, such as 44100; without it the device's own, 48000 where it can"),
    RunOption(
      name: "block", value: .wholeNumber("FRAMES"),
      help: "frames the callback is given at once, 16 to 8192: fewer are heard earlier, more crackle less"),
    RunOption(name: "channels", value: .wholeNumber("N"), help: "output channels, 1 to 64"),
    RunOption(
      name: "accel", value: .text("SOURCE"),
      help: "what shakes: evdev:PATH, iio:N, keys, net, sim:still, sim:shake, sim:tilt, tape:FILE"),
    RunOption(
      name: "gyro", value: .text("SOURCE"), help: "what turns: evdev:PATH, iio:N, net, sim:turn, tape:FILE"),
    RunOption(
      name: "touch", value: .text("SOURCE"),
      help: "what is touched: evdev:PATH, keys, net, sim:circle, sim:chord, tape:FILE"),
    RunOption(
      name: "buttons", value: .text("SOURCE"),
      help: "what is pressed: evdev:PATH, keys, net, sim:steps, tape:FILE"),
    RunOption(
      name: "compass", value: .text("SOURCE"), help: "what points: fused, keys, net, sim:turn, tape:FILE"),
    RunOption(
      name: "net", value: .text("SOURCE"),
      help: "where messages come from: udp:6449 (a port), tape:FILE, none"),
    RunOption(name: "room", value: .text("NAME"), help: "the room to play in, with those who name the same"),
    RunOption(
      name: "passkey", value: .text("KEY"),
      help: "lock the room: only who gives the same passkey is in it (better as MOMU_PASSKEY)"),
    RunOption(name: "name", value: .text("NAME"), help: "what others see you as"),
    RunOption(
      name: "conductor-only", value: .text("ID"),
      help: "let only one installation conduct: the ID that momu session shows"),
    RunOption(
      name: "trim", value: .number("MS"),
      help: "milliseconds by which this device sounds too late; negative where too early"),
    RunOption(
      name: "grid", value: .text("NOTE"),
      help: "play on the grid while a rhythm runs: 16 for sixteenths, or 16,swing=0.6,strength=0.5"),
    RunOption(name: "soundfont", value: .text("FILE"), help: "recorded sounds in place of the piano's own"),
    RunOption(name: "seconds", value: .number("N"), help: "stop after N seconds"),
    RunOption(
      name: "offline", value: .none, help: "render as fast as possible, in counted time; needs no device"),
    RunOption(name: "seed", value: .wholeNumber("N"), help: "make everything random repeat exactly"),
    RunOption(name: "record-tape", value: .text("FILE"), help: "record the readings to a tape"),
    RunOption(
      name: "check-realtime", value: .none,
      help: "stop at the first thing the audio callback must not do, and show where"),
    RunOption(name: "list-devices", value: .none, help: "show what --audio and --accel can name here"),
    RunOption(
      name: "view", value: .text("VIEW"),
      help: "what a program in a room shows first: room, or stage for bar, beat and cue in large letters"),
    RunOption(
      name: "plain", value: .none,
      help: "no picture: a line for each event, without cursor movements, as screen readers need it"),
    RunOption(name: "quiet", value: .none, help: "no meter and no notices"),
    RunOption(name: "help", value: .none, help: "show this text"),
  ]
}
