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
