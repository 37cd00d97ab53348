import MoRuntime

/// An error in reading a sensor; its text says what happened and what to type.
///
/// `option` is the sensor's option, such as `accel` for `--accel`; for a sensor without an option, its type's name.
public enum SensorError: Error, CustomStringConvertible, Equatable {
  /// The source is unknown; `known` are the valid forms.
  case unknownSource(String, option: String, known: [String])
  /// The text after `net:` is not a port number.
  case badPort(String, option: String)
  /// The sensor reads the network, but `--net none` closes it.
  case noNetwork(option: String)
  /// The setting after a source's `?` is unknown; `forms` are the valid settings.
  case unknownSetting(String, option: String, of: String, forms: String)
  /// The phone layout is unknown.
  case unknownLayout(String)
  /// There is no device at `path`; `advice` says how to list the devices.
  case noDevice(path: String, advice: String = SensorError.listing)
  /// The user may not open the device.
  case noPermission(path: String)
  /// The device is of another kind; `noun` is the wanted kind, such as `an accelerometer`.
  case wrongDevice(path: String, noun: String, advice: String = SensorError.listing)
  /// The device failed or was unplugged.
  case wentAway(name: String, reason: String)
  /// The source needs a terminal's keys, but there is no terminal; `instead` is a source without keys.
  case noTerminal(option: String, instead: String = "sim:shake")
  /// The source works only in real time, not with `--offline`; `known` are the forms that work offline.
  case notOffline(name: String, option: String, known: [String])
  /// The tape cannot be played or recorded.
  case tape(String)
  /// A thread that reads sensors cannot be started.
  case noThread(reason: String)
  /// Another error, described by a text.
  case other(String)

  /// The default advice of an error about a device: how to list the devices.
  public static let listing = "--list-devices shows the devices"
  /// The advice in errors of `momu` and `momu-rig`, which have no option for a sensor's source.
  static let toolListing = "\(ToolName.devices) shows what there is"

  /// The error message: what happened and what to do.
  public var description: String { text { .option(Self.typed($0)) } }

  /// The place where the user chooses a sensor's source.
  package enum Choosing: Sendable {
    /// An option such as `--accel`, or its counterpart in a program, such as `MoSensor`.
    case option(String)
    /// The line `source = …` under a heading such as `[accel]`.
    case line(heading: String)

    /// The option or heading under which the user chooses the source.
    var owner: String {
      switch self {
      case .option(let option): option
      case .line(let heading): heading
      }
    }

    /// Returns the text with which the user chooses a source: `--accel SOURCE` or `source = SOURCE`.
    func written(_ source: String) -> String {
      switch self {
      case .option(let option): "\(option) \(source)"
      case .line: "source = \(source)"
      }
    }
  }

  /// Returns the error message: what happened and what to do.
  ///
  /// - Parameter choosing: returns where the user chooses the source of the sensor with the given option.
  package func text(_ choosing: (_ option: String) -> Choosing) -> String {
    switch self {
    case .unknownSource(let name, let option, let known):
      "unknown source \"\(name)\" for \(choosing(option).owner): use \(SensorError.list(known))"
    case .badPort(let text, let option):
      "\"\(text)\" is not a port number for \(choosing(option).written("net")): use 1 to 65535, such as net:6449"
    case .noNetwork(let option):
      "\(choosing(option).written("net")) reads the network, but --net none closes it: leave out one of them"
    case .unknownSetting(let text, let option, let form, let forms):
      "unknown setting \"\(text)\" for \(choosing(option).written(form)): use \(forms)"
    case .unknownLayout(let text):
      "unknown layout \"\(text)\": use touchosc, zigsim, sensors2osc or momu"
    case .noDevice(let path, let advice): "no device \(path): \(advice)"
    case .noPermission(let path) where path.hasPrefix("/dev/tty") || path.hasPrefix("/dev/serial/"):
      "no access to \(path): add yourself to the group 'dialout': sudo usermod -aG dialout $USER, then log in again"
    case .noPermission(let path) where path.hasPrefix("/dev/input/"):
      "no access to \(path): add yourself to the group 'input': sudo usermod -aG input $USER, then log in again"
    case .noPermission(let path) where path.hasPrefix("/dev/gpiochip"):
      "no access to \(path): add yourself to the group 'gpio': sudo usermod -aG gpio $USER, then log in again"
    case .noPermission(let path):
      "no access to \(path): sudo chmod a+r \(path), or start the program with sudo"
    case .wrongDevice(let path, let noun, let advice): "\(path) is not \(noun): \(advice)"
    case .wentAway(let name, let reason): "\(name) went away (\(reason))"
    case .noTerminal(let option, let instead):
      "\(choosing(option).written("keys")) needs a terminal: start the program in one, or use "
        + choosing(option).written(instead)
    case .notOffline(let name, let option, let known):
      "--offline cannot read \"\(name)\": use \(choosing(option).written("tape:FILE"))"
        + (known.isEmpty ? "" : ", or " + known.joined(separator: ", "))
    case .noThread(let reason): "cannot start the thread that reads the sensor: \(reason)"
    case .tape(let text), .other(let text): text
    }
  }

  /// Returns the option as typed, or for a sensor without an option, its name in programs, such as `MoSensor`.
  package static func typed(_ option: String) -> String {
    option.first?.isUppercase == true ? option : "--\(option)"
  }

  /// Joins words as `a, b or c`.
  package static func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }
}
