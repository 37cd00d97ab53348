import MoCore

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
  var offline = false
  var seed: UInt64?
  package var recordTape: String?
  package var checkRealtime = false
  package var listDevices = false
  /// The view that the console of a room shows first: `room`, or `stage` with large letters; nil for `room`.
  package var view: String?
  package var plain = false
  package var quiet = false
  package var help = false
  /// The names of the options that the user typed or set as environment variables, without those of the configuration
  /// file.
  package var given: Set<String> = []

  /// The source of the accelerometer, as in `--accel`; nil if the user chose none.
  package var accel: String? {
    get { sensors["accel"] }
    set { sensors["accel"] = newValue }
  }

  /// Creates options with their defaults.
  init() {}

  /// Reads the options from their three sources.
  ///
  /// - Parameters:
  ///   - arguments: the command line without the program's name.
  ///   - environment: the environment variables.
  ///   - configuration: the configuration file's values by option name.
  /// - Throws: `OptionError`, whose text names the option and its valid values.
  package init(
    arguments: [String], environment: [String: String] = [:], configuration: [String: String] = [:]
  ) throws(OptionError) {
    // The lowest precedence comes first; later values overwrite it.
    for option in RunOption.table {
      if let value = configuration[option.key] {
        try set(option, value, as: "\(option.key) in the configuration file")
      }
    }
    for option in RunOption.table {
      if let value = environment[option.variable], !value.isEmpty {
        try set(option, value, as: option.variable)
        given.insert(option.name)
      }
    }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else { throw .unexpected(argument) }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let typed = String(parts[0])
      guard
        let option = RunOption.table.first(where: { $0.flag == typed || (typed == "-h" && $0.name == "help") }
        )
      else { throw .unknown(typed, nearest: OptionError.nearest(to: typed)) }
      given.insert(option.name)
      if option.value == .none {
        guard parts.count == 1 else { throw .takesNothing(option.flag) }
        try set(option, "1", as: option.flag)
      } else if parts.count == 2 {
        try set(option, String(parts[1]), as: option.flag)
      } else if case .optionalText(_, let usual) = option.value, rest.first?.hasPrefix("-") ?? true {
        try set(option, usual, as: option.flag)
      } else {
        guard let value = rest.popFirst() else { throw .missing(option) }
        try set(option, value, as: option.flag)
      }
    }
  }

  /// Sets an option from its text.
  ///
  /// - Parameter source: the origin of the text, for errors, such as `--rate` or `MOMU_RATE`.
  private mutating func set(_ option: RunOption, _ text: String, as source: String) throws(OptionError) {
    switch option.name {
    case "audio": audio = try full(text, option, source)
    case "rate":
      rate = Double(try number(text, source, 4_000...768_000, "of frames per second", "48000"))
    case "block": block = try number(text, source, 16...8192, "of frames", "256")
    case "channels": channels = try number(text, source, 1...64, "of channels", "2")
    case "accel", "gyro", "touch", "buttons", "compass":
      sensors[option.name] = try full(text, option, source)
    case "midi": midi = try full(text, option, source)
    case "midi-out": midiOut = try full(text, option, source)
    case "midi-channel": midiChannel = try number(text, source, 1...16, "as a channel", "1")
    case "midi-trim": midiTrim = try milliseconds(text, source)
    case "midi-clock":
      guard let role = MIDIClockRole(rawValue: text) else {
        throw .wrongValue(source, text, wants: "lead or follow")
      }
      midiClock = role
    case "net": net = try full(text, option, source)
    case "record-tape": recordTape = try full(text, option, source)
    case "grid": grid = try full(text, option, source)
    case "soundfont": soundfont = try full(text, option, source)
    case "room": room = try full(text, option, source)
    case "passkey": passkey = try full(text, option, source)
    case "name": name = try full(text, option, source)
    case "conductor-only":
      guard text.utf8.count <= 16, let number = UInt64(text, radix: 16), number != 0 else {
        throw .wrongValue(source, text, wants: "an installation's ID of up to 16 hexadecimal digits")
      }
      conductorOnly = number
    case "trim":
      trim = try milliseconds(text, source)
    case "seconds":
      guard let number = Double(text), number.isFinite, number > 0, number <= 1e9 else {
        throw .wrongValue(source, text, wants: "a number of seconds above 0, such as 10 or 0.5")
      }
      seconds = number
    case "seed":
      guard let number = UInt64(text) else {
        throw .wrongValue(source, text, wants: "a whole number from 0, such as 1")
      }
      seed = number
    case "offline": offline = try yes(text, source)
    case "check-realtime": checkRealtime = try yes(text, source)
    case "list-devices": listDevices = try yes(text, source)
    case "view":
      guard ["room", "stage"].contains(text) else {
        throw .wrongValue(source, text, wants: "room or stage")
      }
      view = text
    case "plain": plain = try yes(text, source)
    case "quiet": quiet = try yes(text, source)
    case "help": help = try yes(text, source)
    default: preconditionFailure("\(option.flag) is in the table but is not read")
    }
  }

  private func full(_ text: String, _ option: RunOption, _ source: String) throws(OptionError) -> String {
    // The next option is never the value: in `--audio --quiet`, the device is missing.
    if text.isEmpty || text.hasPrefix("--") { throw .missing(option) }
    return text
  }

  private func milliseconds(_ text: String, _ source: String) throws(OptionError) -> Double {
    guard let number = Double(text), abs(number) <= 1000 else {
      throw .wrongValue(source, text, wants: "a number of milliseconds from -1000 to 1000, such as 12.5")
    }
    return number
  }

  private func number(
    _ text: String, _ source: String, _ range: ClosedRange<Int>, _ what: String, _ example: String
  ) throws(OptionError) -> Int {
    guard let number = wholeNumber(text[...]), range.contains(number) else {
      throw .wrongValue(
        source, text,
        wants: "a whole number \(what) from \(range.lowerBound) to \(range.upperBound), such as \(example)")
    }
    return number
  }

  private func yes(_ text: String, _ source: String) throws(OptionError) -> Bool {
    switch text.lowercased() {
    case "1", "yes", "true", "on": true
    case "0", "no", "false", "off": false
    default: throw .wrongValue(source, text, wants: "1 or 0")
    }
  }
}

/// The side that sets the beat when this program and gear are connected by MIDI clock.
package enum MIDIClockRole: String, Sendable {
  /// This program sets the beat: it sends its beat to the gear.
  case lead
  /// The gear sets the beat: this program's beat follows the gear.
  case follow
}

/// An error in the options; its text is shown to the user.
package enum OptionError: Error, CustomStringConvertible {
  case unknown(String, nearest: String?)
  case unexpected(String)
  case missing(RunOption)
  case takesNothing(String)
  case wrongValue(String, String, wants: String)
  case configuration(path: String, reason: String)

  package var description: String {
    switch self {
    case .unknown(let typed, let nearest?):
      "unknown option \(typed): did you mean \(nearest)? --help lists all options"
    case .unknown(let typed, nil): "unknown option \(typed): --help lists all options"
    case .unexpected(let typed): "\(typed) is not an option: options begin with --, and --help lists them"
    case .missing(let option):
      "\(option.flag) needs a value: \(option.flag) \(option.value.placeholder ?? "") (\(option.help))"
    case .takesNothing(let flag): "\(flag) takes no value: type it alone"
    case .wrongValue(let source, let text, let wants): "\(source) is \"\(text)\", but must be \(wants)"
    case .configuration(let path, let reason): "\(path) cannot be used: \(reason)"
    }
  }

  /// Returns the option whose name is most similar to the typed text, such as `--quiet`; nil if no name is similar
  /// enough.
  static func nearest(to typed: String) -> String? {
    let name = String(typed.drop { $0 == "-" })
    return Spelling.nearest(to: name, among: RunOption.table.map(\.name)).map { "--\($0)" }
  }
}
