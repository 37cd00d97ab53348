/// The options that the user gave to the program.
///
/// The command line overrides the environment variables, and these override the configuration file.
package struct RunOptions: Sendable, Equatable {
  package var audio: String?
  /// The sample rate of the sound device, in Hz; nil for the device's default.
  package var rate: Double?
  /// The number of frames per block, 16…8192; nil for the program's choice.
  package var block: Int?
  /// The number of output channels, 1…64; nil for the program's choice.
  package var channels: Int?
  /// The sources that the user chose for sensors, by option name: `evdev:/dev/input/event5` for `accel`, for example.
  package var sensors: [String: String] = [:]
  package var midi: String?
  package var midiOut: String?
  /// The MIDI channel, 1…16: the only channel that is read, and the default channel of MIDI out.
  ///
  /// Nil means that all channels are read, and that MIDI out uses channel 1 by default.
  package var midiChannel: Int?
  /// The delay of all MIDI output, in milliseconds, -1000…1000; with a negative delay, messages are sent earlier.
  package var midiTrim = 0.0
  /// The role of this program in MIDI clock: it sends the clock, or it follows the clock of gear; nil for neither.
  package var midiClock: MIDIClockRole?
  package var net: String?
  package var room: String?
  package var passkey: String?
  package var name: String?
  package var conductorOnly: UInt64?
  package var trim = 0.0
  package var grid: String?
  package var soundfont: String?
  package var seconds: Double?
  package var offline = false
  package var seed: UInt64?
  package var recordTape: String?
  package var checkRealtime = false
  package var listDevices = false
  /// The view that the console of a room shows first: `room`, or `stage` with large letters; nil for `room`.
  package var view: String?
  package var plain = false
  package var quiet = false
  package var help = false
  /// The values of the options that only this program has, by option name; 1 for an option without a value.
  package var own: [String: OwnValue] = [:]
  /// The names of the options that only this program has.
  package var ownNames: Set<String> = []

  /// The value of an option that only this program has.
  package struct OwnValue: Sendable, Equatable {
    package let text: String
    /// The origin of the text, such as `--kit` or `MOMU_KIT`.
    package let source: String
  }
  /// The names of the options that the user typed or set as environment variables, without those of the configuration
  /// file.
  package var given: Set<String> = []

  /// The source of the accelerometer, as in `--accel`; nil if the user chose none.
  package var accel: String? {
    get { sensors["accel"] }
    set { sensors["accel"] = newValue }
  }

  /// Creates options with their defaults.
  package init() {}
}

extension RunOption {
  /// The options that all programs share; help, parsing, variables and configuration use this table.
  package static let table: [RunOption] = [
    RunOption(
      name: "audio", value: .text("DEVICE"),
      help: "sound output: default, jack, hw:1, virtual, wav:FILE, none", sets: .text(\.audio)),
    RunOption(
      name: "rate", value: .wholeNumber("HZ"), help: "sample rate, such as 44100 (default: the device's)",
      sets: .other(setRate)),
    RunOption(
      name: "block", value: .wholeNumber("FRAMES"),
      help: "frames per block, 16 to 8192: fewer are heard sooner",
      sets: .number(\.block, 16...8192, "of frames", example: "256")),
    RunOption(
      name: "channels", value: .wholeNumber("N"), help: "output channels, 1 to 64",
      sets: .number(\.channels, 1...64, "of channels", example: "2")),
    RunOption(
      name: "accel", value: .text("SOURCE"),
      help: "accelerometer: evdev:PATH, iio:N, keys, net, sim:shake, …", sets: .sensor),
    RunOption(
      name: "gyro", value: .text("SOURCE"), help: "gyroscope: evdev:PATH, iio:N, net, sim:turn, tape:FILE",
      sets: .sensor),
    RunOption(
      name: "touch", value: .text("SOURCE"),
      help: "touch screen or pad: evdev:PATH, keys, net, sim:circle, …", sets: .sensor),
    RunOption(
      name: "buttons", value: .text("SOURCE"), help: "buttons: evdev:PATH, keys, net, sim:steps, tape:FILE",
      sets: .sensor),
    RunOption(
      name: "compass", value: .text("SOURCE"), help: "compass: fused, keys, net, sim:turn, tape:FILE",
      sets: .sensor),
    RunOption(
      name: "midi", value: .optionalText("SOURCE", ifLeftOut: "all"),
      help: "MIDI in: a port, net:NAME, tape:FILE, file:SONG.mid, none", sets: .text(\.midi),
      remark: "this program reads no MIDI; momu play piano --midi does, and a program that calls MoMIDI.play"),
    RunOption(
      name: "midi-out", value: .text("TARGET"), help: "MIDI out: a port, net:NAME, file:TAKE.mid, none",
      sets: .text(\.midiOut)),
    RunOption(
      name: "midi-channel", value: .wholeNumber("N"),
      help: "MIDI channel, 1 to 16 (default: reads all, sends 1)",
      sets: .number(\.midiChannel, 1...16, "as a channel", example: "1")),
    RunOption(
      name: "midi-trim", value: .number("MS"), help: "delay of MIDI out; negative is earlier",
      sets: .milliseconds(\.midiTrim)),
    RunOption(
      name: "midi-clock", value: .text("ROLE"),
      help: "MIDI clock: lead (sends the beat), follow (obeys gear)", sets: .other(setMIDIClock),
      remark: "this program has no rhythm of its own and no room; momu play, Examples/Piano, "
        + "Examples/DrumMachine and Examples/Orchestra obey it"),
    RunOption(
      name: "net", value: .text("SOURCE"), help: "message source: udp:PORT, tape:FILE or none",
      sets: .text(\.net)),
    RunOption(
      name: "room", value: .text("NAME"), help: "room to join; its members play together",
      sets: .text(\.room)),
    RunOption(
      name: "passkey", value: .text("KEY"), help: "room key; hide it from other users in MOMU_PASSKEY",
      sets: .text(\.passkey)),
    RunOption(name: "name", value: .text("NAME"), help: "your name in the room", sets: .text(\.name)),
    RunOption(
      name: "conductor-only", value: .text("ID"),
      help: "only this installation may conduct (ID from momu session)", sets: .other(setConductor)),
    RunOption(
      name: "trim", value: .number("MS"), help: "unreported output delay, -1000 to 1000; see momu calibrate",
      sets: .milliseconds(\.trim)),
    RunOption(
      name: "grid", value: .text("NOTE"), help: "notes on grid lines: 16, or 16,swing=0.6,strength=0.5",
      sets: .text(\.grid)),
    RunOption(
      name: "soundfont", value: .text("FILE"), help: "SoundFont to play instead of the built-in piano",
      sets: .text(\.soundfont)),
    RunOption(
      name: "seconds", value: .number("SECONDS"), help: "stop after this many seconds",
      sets: .other(setSeconds)),
    RunOption(
      name: "offline", value: .none, help: "render as fast as possible, without a device",
      sets: .flag(\.offline)),
    RunOption(
      name: "seed", value: .wholeNumber("N"), help: "seed for random numbers, to repeat a run exactly",
      sets: .other(setSeed)),
    RunOption(
      name: "record-tape", value: .text("FILE"), help: "record the sensor readings to a tape",
      sets: .text(\.recordTape)),
    RunOption(
      name: "check-realtime", value: .none, help: "stop at the first call that is not real-time safe",
      sets: .flag(\.checkRealtime)),
    RunOption(
      name: "list-devices", value: .none, help: "list the devices for --audio and --accel",
      sets: .flag(\.listDevices)),
    RunOption(
      name: "view", value: .text("VIEW"), help: "first picture in a room: room, or stage with large letters",
      sets: .other(setView),
      remark: "only a program in a room has this view: add --room NAME"),
    RunOption(
      name: "plain", value: .none, help: "print a line per event, for screen readers",
      sets: .flag(\.plain)),
    RunOption(name: "quiet", value: .none, help: "print no meter, picture or notices", sets: .flag(\.quiet)),
    RunOption(name: "help", value: .none, help: "show this text", sets: .flag(\.help)),
  ]

  private static func setRate(
    _ options: inout RunOptions, _ text: String, _ source: String
  ) throws(OptionError) {
    options.rate = Double(
      try OptionReader.readNumber(text, source, 4_000...768_000, "of frames per second", "48000"))
  }

  private static func setMIDIClock(
    _ options: inout RunOptions, _ text: String, _ source: String
  ) throws(OptionError) {
    guard let role = MIDIClockRole(rawValue: text) else {
      throw .wrongValue(source, text, wants: "lead or follow")
    }
    options.midiClock = role
  }

  private static func setConductor(
    _ options: inout RunOptions, _ text: String, _ source: String
  ) throws(OptionError) {
    guard text.utf8.count <= 16, let number = UInt64(text, radix: 16), number != 0 else {
      throw .wrongValue(source, text, wants: "an installation's ID of up to 16 hexadecimal digits")
    }
    options.conductorOnly = number
  }

  /// The values that `seconds` accepts, for errors.
  package static let secondsForm = "a number of seconds above 0, such as 10 or 0.5"

  /// Returns the duration in a text, in seconds; nil if the text is not a number above 0 and up to 1e9.
  package static func seconds(_ text: String) -> Double? {
    guard let number = Double(text), number > 0, number <= 1e9 else { return nil }
    return number
  }

  private static func setSeconds(
    _ options: inout RunOptions, _ text: String, _ source: String
  ) throws(OptionError) {
    guard let number = seconds(text) else {
      throw .wrongValue(source, text, wants: secondsForm)
    }
    options.seconds = number
  }

  private static func setSeed(
    _ options: inout RunOptions, _ text: String, _ source: String
  ) throws(OptionError) {
    guard let number = UInt64(text) else {
      throw .wrongValue(source, text, wants: "a whole number from 0, such as 1")
    }
    options.seed = number
  }

  private static func setView(
    _ options: inout RunOptions, _ text: String, _ source: String
  ) throws(OptionError) {
    guard ["room", "stage"].contains(text) else {
      throw .wrongValue(source, text, wants: "room or stage")
    }
    options.view = text
  }
}

/// The side that sets the beat when this program and gear are connected by MIDI clock.
package enum MIDIClockRole: String, Sendable {
  /// This program sets the beat: it sends its beat to the gear.
  case lead
  /// The gear sets the beat: this program's beat follows the gear.
  case follow
}
