import MoRuntime

/// An error of a sensor that cannot be read; its text tells what happened and what to type.
///
/// `option` is the sensor's option, such as `accel`, typed as `--accel`; for a sensor without option, its type's name.
public enum SensorError: Error, CustomStringConvertible, Equatable {
  /// The option names an unknown source; `known` are the forms that it accepts.
  case unknownSource(String, option: String, known: [String])
  /// The text after `net:` is not a port.
  case badPort(String, option: String)
  /// The sensor needs the network, which the run's options exclude.
  case noNetwork(option: String)
  /// A setting after a source's `?` that the source does not accept; `forms` lists those that it does.
  case unknownSetting(String, option: String, of: String, forms: String)
  /// A phone layout that does not exist.
  case unknownLayout(String)
  /// The device does not exist; `advice` tells how to find those that exist.
  case noDevice(path: String, advice: String = SensorError.listing)
  /// This user may not open the device.
  case noPermission(path: String)
  /// The device is of another kind; `noun` is the wanted one, such as `an accelerometer`.
  case wrongDevice(path: String, noun: String, advice: String = SensorError.listing)
  /// The device failed or was unplugged.
  case wentAway(name: String, reason: String)
  /// Keys were chosen without a terminal; `instead` names a source that needs none.
  case noTerminal(option: String, instead: String = "sim:shake")
  /// A source that only works in real time was chosen with `--offline`; `known` are the forms that work offline.
  case notOffline(name: String, option: String, known: [String])
  /// A tape cannot be played or recorded.
  case tape(String)
  /// The input thread could not be created.
  case noThread(reason: String)
  /// The source's own text, with advice.
  case other(String)

  /// The advice to list devices, for programs.
  public static let listing = "--list-devices shows those there are"
  /// The advice to list devices, for the tool's verbs, which have no such option.
  static let toolListing = "\(ToolName.devices) shows what there is"

  /// The error message: what happened and what to do.
  public var description: String { text { .option(Self.typed($0)) } }

  /// The way to choose a sensor's source, which depends on the reader of the error.
  package enum Choosing: Sendable {
    /// By an option, or in a program by the code in its place; such as `--accel`.
    case option(String)
    /// By the line `source = …` under a heading, such as `[accel]`.
    case line(heading: String)

    /// The name of the sensor that has the source.
    var owner: String {
      switch self {
      case .option(let option): option
      case .line(let heading): heading
      }
    }

    /// Returns the text that chooses `source` there.
    func written(_ source: String) -> String {
      switch self {
      case .option(let option): "\(option) \(source)"
      case .line: "source = \(source)"
      }
    }
  }

  /// Returns the error message: what happened and what to do.
  ///
  /// - Parameter choosing: returns the way to choose the source of a sensor with this option.
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

  /// Returns the text to type: an option, or for a sensor without one, its name in the program, such as `MoSensor`.
  package static func typed(_ option: String) -> String {
    option.first?.isUppercase == true ? option : "--\(option)"
  }

  /// Returns a list such as `a, b or c`.
  package static func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }
}
