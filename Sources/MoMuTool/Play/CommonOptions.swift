import ArgumentParser
import MoRuntime

/// The options of every MoMu program, for the subcommands that run such a program.
///
/// `RunOption.table` declares these options; only that table has their values and help texts.
struct CommonOptions: ParsableArguments {
  @Option(help: .shared("audio")) var audio: String?
  @Option(help: .shared("rate")) var rate: String?
  @Option(help: .shared("block")) var block: String?
  @Option(help: .shared("channels")) var channels: String?
  @Option(help: .shared("accel")) var accel: String?
  @Option(help: .shared("gyro")) var gyro: String?
  @Option(help: .shared("touch")) var touch: String?
  @Option(help: .shared("buttons")) var buttons: String?
  @Option(help: .shared("compass")) var compass: String?
  @OptionGroup var midi: MIDIOptions
  @Option(help: .shared("net")) var net: String?
  @Option(parsing: .unconditional, help: .shared("trim")) var trim: String?
  @Option(help: .shared("seconds")) var seconds: String?
  @Option(help: .shared("seed")) var seed: String?
  @Option(help: .shared("record-tape")) var recordTape: String?
  @Flag(help: .shared("offline")) var offline = false
  @Flag(help: .shared("check-realtime")) var checkRealtime = false
  @Flag(help: .shared("list-devices")) var listDevices = false
  @Flag(help: .shared("plain")) var plain = false
  @Flag(help: .shared("quiet")) var quiet = false

  /// The options that the user gave, as arguments of a program, such as `--rate=48000`.
  var arguments: [String] {
    let values = [
      ("audio", audio), ("rate", rate), ("block", block), ("channels", channels), ("accel", accel),
      ("gyro", gyro), ("touch", touch), ("buttons", buttons), ("compass", compass), ("net", net),
      ("trim", trim), ("seconds", seconds), ("seed", seed), ("record-tape", recordTape),
    ]
    let flags = [
      ("offline", offline), ("check-realtime", checkRealtime), ("list-devices", listDevices),
      ("plain", plain), ("quiet", quiet),
    ]
    return values.compactMap { name, value in value.map { "\(RunOption.named(name).flag)=\($0)" } }
      + midi.arguments + flags.compactMap { name, isSet in isSet ? RunOption.named(name).flag : nil }
  }
}

/// The options for MIDI input and output.
struct MIDIOptions: ParsableArguments {
  @Option(defaultAsFlag: "all", help: .shared("midi")) var midi: String?
  @Option(help: .shared("midi-out")) var midiOut: String?
  @Option(help: .shared("midi-channel")) var midiChannel: String?
  @Option(parsing: .unconditional, help: .shared("midi-trim")) var midiTrim: String?
  @Option(help: .shared("midi-clock")) var midiClock: String?

  /// The options that the user gave, as arguments of a program, such as `--midi=all`.
  var arguments: [String] {
    [
      ("midi", midi), ("midi-out", midiOut), ("midi-channel", midiChannel), ("midi-trim", midiTrim),
      ("midi-clock", midiClock),
    ]
    .compactMap { name, value in value.map { "\(RunOption.named(name).flag)=\($0)" } }
  }
}

extension ArgumentHelp {
  /// The help text and the value name of an option that all programs share.
  static func shared(_ name: String) -> ArgumentHelp {
    let option = RunOption.named(name)
    return ArgumentHelp(
      option.help.prefix(1).uppercased() + option.help.dropFirst() + ".", valueName: option.value.placeholder)
  }
}
