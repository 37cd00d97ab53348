/// An option that every program has: its name, its value and its help text.
package struct RunOption: Sendable {
  /// The kind of value that follows the option, with the name of the value in the help text, such as `FILE`.
  package enum Value: Sendable, Equatable {
    case none
    case text(String)
    /// A text that the user may leave out; the value is then `ifLeftOut`.
    case optionalText(String, ifLeftOut: String)
    case number(String)
    case wholeNumber(String)

    /// The value's name in the help text, such as `FILE`, or `[SOURCE]` if the user may leave it out; nil without a
    /// value.
    package var placeholder: String? {
      switch self {
      case .none: nil
      case .optionalText(let word, _): "[\(word)]"
      case .text(let word), .number(let word), .wholeNumber(let word): word
      }
    }
  }

  package let name: String
  package let value: Value
  package let help: String
  /// The text of the warning if the program does not use this option: why it has no effect, and what to type instead.
  ///
  /// Nil means that there is no warning.
  var remark: String?

  /// Returns the option with the name `name`, which must be in `table`.
  package static func named(_ name: String) -> RunOption {
    guard let option = table.first(where: { $0.name == name }) else {
      preconditionFailure("no option --\(name)")
    }
    return option
  }

  /// The option as the user types it, such as `--record-tape`.
  package var flag: String { "--\(name)" }

  /// The environment variable with the same effect as the option, such as `MOMU_RECORD_TAPE`.
  var variable: String { "MOMU_" + name.uppercased().replacing("-", with: "_") }

  /// The key in the configuration file, equal to the option's name.
  var key: String { name }

  /// The options that all programs share; help, parsing, variables and configuration use this table.
  package static let table: [RunOption] = [
    RunOption(
      name: "audio", value: .text("DEVICE"),
      help: "sound output: default, jack, hw:1, virtual, wav:FILE, none"),
    RunOption(
      name: "rate", value: .wholeNumber("HZ"),
      help: "sample rate, such as 44100 (default: the device's)"),
    RunOption(
      name: "block", value: .wholeNumber("FRAMES"),
      help: "frames per block, 16 to 8192: fewer are heard sooner"),
    RunOption(name: "channels", value: .wholeNumber("N"), help: "output channels, 1 to 64"),
    RunOption(
      name: "accel", value: .text("SOURCE"),
      help: "accelerometer: evdev:PATH, iio:N, keys, net, sim:shake, …"),
    RunOption(
      name: "gyro", value: .text("SOURCE"), help: "gyroscope: evdev:PATH, iio:N, net, sim:turn, tape:FILE"),
    RunOption(
      name: "touch", value: .text("SOURCE"),
      help: "touch screen or pad: evdev:PATH, keys, net, sim:circle, …"),
    RunOption(
      name: "buttons", value: .text("SOURCE"),
      help: "buttons: evdev:PATH, keys, net, sim:steps, tape:FILE"),
    RunOption(
      name: "compass", value: .text("SOURCE"), help: "compass: fused, keys, net, sim:turn, tape:FILE"),
    RunOption(
      name: "midi", value: .optionalText("SOURCE", ifLeftOut: "all"),
      help: "MIDI in: a port, net:NAME, tape:FILE, file:SONG.mid, none",
      remark: "this program reads no MIDI; momu play piano --midi does, and a program that calls MoMIDI.play"),
    RunOption(
      name: "midi-out", value: .text("TARGET"), help: "MIDI out: a port, net:NAME, file:TAKE.mid, none"),
    RunOption(
      name: "midi-channel", value: .wholeNumber("N"),
      help: "MIDI channel, 1 to 16 (default: reads all, sends 1)"),
    RunOption(
      name: "midi-trim", value: .number("MS"),
      help: "delay of MIDI out; negative is earlier"),
    RunOption(
      name: "midi-clock", value: .text("ROLE"),
      help: "MIDI clock: lead (sends the beat), follow (obeys gear)",
      remark: "this program has no rhythm of its own and no room; momu play, Examples/Piano, "
        + "Examples/DrumMachine and Examples/Orchestra obey it"),
    RunOption(
      name: "net", value: .text("SOURCE"),
      help: "message source: udp:PORT, tape:FILE or none"),
    RunOption(name: "room", value: .text("NAME"), help: "room to join; its members play together"),
    RunOption(
      name: "passkey", value: .text("KEY"),
      help: "room key; hide it from other users in MOMU_PASSKEY"),
    RunOption(name: "name", value: .text("NAME"), help: "your name in the room"),
    RunOption(
      name: "conductor-only", value: .text("ID"),
      help: "only this installation may conduct (ID from momu session)"),
    RunOption(
      name: "trim", value: .number("MS"),
      help: "unreported output delay, -1000 to 1000; see momu calibrate"),
    RunOption(
      name: "grid", value: .text("NOTE"),
      help: "notes on grid lines: 16, or 16,swing=0.6,strength=0.5"),
    RunOption(
      name: "soundfont", value: .text("FILE"), help: "SoundFont to play instead of the built-in piano"),
    RunOption(name: "seconds", value: .number("SECONDS"), help: "stop after this many seconds"),
    RunOption(
      name: "offline", value: .none, help: "render as fast as possible, without a device"),
    RunOption(
      name: "seed", value: .wholeNumber("N"), help: "seed for random numbers, to repeat a run exactly"),
    RunOption(name: "record-tape", value: .text("FILE"), help: "record the sensor readings to a tape"),
    RunOption(
      name: "check-realtime", value: .none,
      help: "stop at the first call that is not real-time safe"),
    RunOption(name: "list-devices", value: .none, help: "list the devices for --audio and --accel"),
    RunOption(
      name: "view", value: .text("VIEW"),
      help: "first picture in a room: room, or stage with large letters",
      remark: "only a program in a room has this view: add --room NAME"),
    RunOption(
      name: "plain", value: .none,
      help: "print a line per event, for screen readers"),
    RunOption(name: "quiet", value: .none, help: "print no meter, picture or notices"),
    RunOption(name: "help", value: .none, help: "show this text"),
  ]
}

/// A device, or another source or output, that the user can choose with an option such as `--audio` or `--accel`.
package struct NamedDevice: Equatable, Sendable {
  /// The text that the user types after the option, such as `hw:1` or `sim:shake`.
  package var name: String
  /// The description that the list of devices shows beside the name.
  package var about: String
  /// Whether this is a device of this machine; false for a choice that MoMu itself provides, such as `sim:shake`.
  package var isReal: Bool
  /// Whether this user may open the device.
  package var isOpen: Bool

  package init(name: String, about: String, isReal: Bool, isOpen: Bool = true) {
    self.name = name
    self.about = about
    self.isReal = isReal
    self.isOpen = isOpen
  }
}

/// The output of `--help`.
package enum HelpText {
  package static func text(about: String, program: String) -> String {
    let rows = RunOption.table.map { option in
      (option.flag + (option.value.placeholder.map { " \($0)" } ?? ""), option.help)
    }
    let width = rows.map(\.0.count).max() ?? 0
    let options = rows.map { "  \($0.padded(to: width))  \($1)" }
    return """
      \(about)

      Usage: \(program) [options]

      \(options.joined(separator: "\n"))

      You can also set each option by an environment variable, such as MOMU_AUDIO for --audio, or by a key of the JSON
      object in ~/.config/momu/config.json. Ctrl-C ends the program.

      """
  }
}

/// Returns the whole number in a text; nil if the text is not a whole number.
///
/// The compiler needs 0.3 s to optimise the standard library's number parser in every file that uses it. Therefore only
/// this function uses the parser.
package func wholeNumber(_ text: some StringProtocol, radix: Int = 10) -> Int? { Int(text, radix: radix) }
