import ArgumentParser
import MoRuntime

/// The options of every MoMu program, for the verbs that run one.
///
/// `RunOption.table` declares them: their values and their help texts are written there only.
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
  @Option(help: .shared("net")) var net: String?
  @Option(help: .shared("trim")) var trim: String?
  @Option(help: .shared("seconds")) var seconds: String?
  @Option(help: .shared("seed")) var seed: String?
  @Option(help: .shared("record-tape")) var recordTape: String?
  @Flag(help: .shared("offline")) var offline = false
  @Flag(help: .shared("check-realtime")) var checkRealtime = false
  @Flag(help: .shared("list-devices")) var listDevices = false
  @Flag(help: .shared("plain")) var plain = false
  @Flag(help: .shared("quiet")) var quiet = false

  /// The options as words of a program's own command line.
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
      + flags.compactMap { name, isSet in isSet ? RunOption.named(name).flag : nil }
  }
}

extension ArgumentHelp {
  /// The help text and the value name of an option that all programs share.
  static func shared(_ name: String) -> ArgumentHelp {
    let option = RunOption.named(name)
    return ArgumentHelp(stringLiteral: option.help).named(option.value.placeholder)
  }

  private func named(_ valueName: String?) -> ArgumentHelp {
    var help = self
    help.valueName = valueName
    return help
  }
}
