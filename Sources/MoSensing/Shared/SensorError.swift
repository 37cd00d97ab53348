import MoRuntime

/// Why a sensor cannot be read; its text says what happened and what to type.
///
/// `option` is the sensor's own, such as `accel`, typed as `--accel`; of one without option, its type's name.
public enum SensorError: Error, CustomStringConvertible, Equatable {
  /// The option names nothing there is; `known` are the forms that it takes.
  case unknownSource(String, option: String, known: [String])
  /// `net:` is followed by something else than a port.
  case badPort(String, option: String)
  /// The network is to be read, and is shut out.
  case noNetwork(option: String)
  /// A setting behind a source's `?` that it does not take; `forms` says which it does.
  case unknownSetting(String, option: String, of: String, forms: String)
  /// A phone's layout that there is not.
  case unknownLayout(String)
  /// There is no such device; `advice` says how to find those there are.
  case noDevice(path: String, advice: String = SensorError.listing)
  /// The device may not be opened.
  case noPermission(path: String)
  /// The device is something else; `noun` is what was wanted, such as `an accelerometer`.
  case wrongDevice(path: String, noun: String, advice: String = SensorError.listing)
  /// The device failed or was unplugged.
  case wentAway(name: String, reason: String)
  /// Keys were asked for without a terminal; `instead` is what needs none.
  case noTerminal(option: String, instead: String = "sim:shake")
  /// A source that only works in real time, with `--offline`; `known` are the forms that do not.
  case notOffline(name: String, option: String, known: [String])
  /// A tape cannot be played or recorded.
  case tape(String)
  /// The input thread could not be made.
  case noThread(reason: String)
  /// The source's own words, what to do among them.
  case other(String)

  /// Where a program's own devices are listed.
  public static let listing = "--list-devices shows those there are"
  /// Where the tool's verbs, which have no such option, list them.
  static let toolListing = "\(ToolName.devices) shows what there is"

  /// What happened and what to do.
  public var description: String { text { .option(Self.typed($0)) } }

  /// How a sensor's source is chosen, by who reads the error.
  package enum Choosing: Sendable {
    /// By an option, or in a program by what stands there in its place, such as `--accel`.
    case option(String)
    /// By the line `source = …` under a heading, such as `[accel]`.
    case line(heading: String)

    /// Whose source it is.
    var owner: String {
      switch self {
      case .option(let option): option
      case .line(let heading): heading
      }
    }

    /// How `source` is written there.
    func written(_ source: String) -> String {
      switch self {
      case .option(let option): "\(option) \(source)"
      case .line: "source = \(source)"
      }
    }
  }

  /// What happened and what to do.
  ///
  /// - Parameter choosing: how the source of a sensor is chosen that has this option.
  package func text(_ choosing: (_ option: String) -> Choosing) -> String {
    switch self {
    case .unknownSource(let name, let option, let known):
      "unknown source \"\(name)\" for \(choosing(option).owner): use \(SensorError.list(known))"
    case .badPort(let text, let option):
      "\"\(text)\" is no port for \(choosing(option).written("net")): use 1 to 65535, such as net:6449"
    case .noNetwork(let option):
      "\(choosing(option).written("net")) reads the network, which --net none shuts out: leave out one of them"
    case .unknownSetting(let text, let option, let form, let forms):
      "\"\(text)\" is nothing that \(choosing(option).written(form)) takes: use \(forms)"
    case .unknownLayout(let text):
      "unknown layout \"\(text)\": use touchosc, zigsim, sensors2osc or momu"
    case .noDevice(let path, let advice): "no device \(path): \(advice)"
    case .noPermission(let path) where path.hasPrefix("/dev/tty") || path.hasPrefix("/dev/serial/"):
      "no access to \(path): add yourself to the group 'dialout': sudo usermod -aG dialout $USER, then log in again"
    case .noPermission(let path) where path.hasPrefix("/dev/input/"):
      "no access to \(path): add yourself to the group 'input': sudo usermod -aG input $USER, then log in again"
    case .noPermission(let path):
      "no access to \(path): sudo chmod a+r \(path), or start the program with sudo"
    case .wrongDevice(let path, let noun, let advice): "\(path) is not \(noun): \(advice)"
    case .wentAway(let name, let reason): "\(name) went away (\(reason))"
    case .noTerminal(let option, let instead):
      "\(choosing(option).written("keys")) needs a terminal to type in: start the program in one, or use "
        + choosing(option).written(instead)
    case .notOffline(let name, let option, let known):
      "--offline cannot read \"\(name)\": use \(choosing(option).written("tape:FILE"))"
        + (known.isEmpty ? "" : ", or " + known.joined(separator: ", "))
    case .noThread(let reason): "no input thread: \(reason)"
    case .tape(let text), .other(let text): text
    }
  }

  /// What is typed to choose: an option, or for a sensor that has none, what stands in the program, such as `MoSensor`.
  package static func typed(_ option: String) -> String {
    option.first?.isUppercase == true ? option : "--\(option)"
  }

  /// `a, b or c`.
  package static func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }
}
