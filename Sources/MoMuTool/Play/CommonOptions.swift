import ArgumentParser
import MoConsole
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
  @Option(defaultAsFlag: "all", help: .shared("midi")) var midi: String?
  @Option(help: .shared("midi-out")) var midiOut: String?
  @Option(help: .shared("midi-channel")) var midiChannel: String?
  @Option(parsing: .unconditional, help: .shared("midi-trim")) var midiTrim: String?
  @Option(help: .shared("midi-clock")) var midiClock: String?
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
  var arguments: [String] { sharedArguments }

  func validate() throws { try checkSharedArguments() }
}

extension ParsableArguments {
  /// The options of `RunOption.table` that the user gave, as arguments of a program, such as `--record-tape=a.osc`.
  ///
  /// Such an option is a property with the option's name, as `recordTape` is for `--record-tape`.
  var sharedArguments: [String] {
    Mirror(reflecting: self).children.compactMap { child -> String? in
      // `@Option var recordTape` is stored as `_recordTape`.
      guard let label = child.label?.lowercased(),
        let option = RunOption.table.first(where: { "_\($0.name.replacing("-", with: ""))" == label })
      else { return nil }
      switch child.value {
      case let text as Option<String?>: return text.wrappedValue.map { "\(option.flag)=\($0)" }
      case let flag as Flag<Bool>: return flag.wrappedValue ? option.flag : nil
      default: preconditionFailure("the property of \(option.flag) is neither a String? nor a Bool")
      }
    }
  }
}

extension ParsableArguments {
  /// Throws the error of a shared option whose value is wrong.
  ///
  /// A verb may build a file or read a tape before it starts a program, so the program would report the error late or
  /// never.
  func checkSharedArguments() throws {
    do throws(OptionError) {
      _ = try RunOptions(arguments: sharedArguments)
    } catch {
      throw ValidationError("\(error)")
    }
  }
}

extension ArgumentHelp {
  /// The help text and the value name of an option that all programs share.
  static func shared(_ name: String) -> ArgumentHelp {
    let option = RunOption.named(name)
    return ArgumentHelp(sentence(option.help), valueName: option.value.placeholder)
  }

  /// The help text and the value name of an option for playing an instrument.
  static func playing(_ name: String) -> ArgumentHelp {
    let option = PlayOption.named(name)
    return ArgumentHelp(sentence(option.help), valueName: option.value)
  }

  /// Returns a help text with a capital letter at its beginning, and a full stop at its end.
  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }
}
