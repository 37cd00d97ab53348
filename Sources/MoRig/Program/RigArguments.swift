import MoCore
import MoRuntime

/// The arguments of `momu-rig` or `momu rig`.
package struct RigArguments: Equatable, Sendable {
  /// Whether to check the configuration without running it, and to report each problem (`--check`).
  package var checks = false
  /// Whether to check with the access rights of the service's user, in place of the caller's (`--as-service`).
  package var asService = false
  /// The path of the service's unit file (`--unit`); nil for the installed unit.
  package var unit: String?
  /// Whether to print an example of a configuration.
  package var example = false
  /// Whether to print the devices that a configuration can name.
  package var devices = false
  /// Whether to print the udev rules that give the service access to its devices.
  package var udevRule = false
  /// Whether to set all outputs to their safe values, and do nothing else.
  package var safe = false
  package var help = false
  /// The run time, in seconds; nil for no limit.
  package var seconds: Double?
  /// The configuration's path; nil for the usual places.
  package var file: String?

  package init() {}

  /// A mistake in the arguments, with the text to type instead.
  package struct Mistake: Error, CustomStringConvertible {
    package let description: String

    package init(_ text: String) { description = text }
  }

  private static let names = [
    "--check", "--as-service", "--unit", "--example", "--devices", "--udev-rule", "--safe", "--seconds",
    "--help",
  ]

  /// Reads a command line.
  ///
  /// - Parameter words: the words after the program's name.
  /// - Throws: `Mistake`.
  package init(_ words: [String]) throws(Mistake) {
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        String($0)
      }
      func value(_ example: String) throws(Mistake) -> String {
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
          throw Mistake("\(parts[0]) needs a value: \(parts[0]) \(example)")
        }
        return value
      }
      guard word.hasPrefix("-"), word != "-" else {
        guard file == nil else { throw Mistake("\(ToolName.rig) takes one configuration: remove \(word)") }
        file = word
        continue
      }
      switch parts[0] {
      case "--unit": unit = try value("FILE")
      case "--seconds":
        let text = try value("60")
        guard let number = RunOption.seconds(text) else {
          throw Mistake("--seconds is \"\(text)\", but must be \(RunOption.secondsForm)")
        }
        seconds = number
      case "--check" where parts.count == 1: checks = true
      case "--as-service" where parts.count == 1: asService = true
      case "--example" where parts.count == 1: example = true
      case "--devices" where parts.count == 1: devices = true
      case "--udev-rule" where parts.count == 1: udevRule = true
      case "--safe" where parts.count == 1: safe = true
      case "--help" where parts.count == 1, "-h" where parts.count == 1: help = true
      case let name where parts.count == 2 && Self.names.contains(name):
        throw Mistake("\(name) takes no value")
      default:
        let nearest = Spelling.nearest(to: parts[0], among: Self.names).map { "did you mean \($0)? " } ?? ""
        throw Mistake("unknown option \(parts[0]): \(nearest)\(ToolName.rig) --help lists the options")
      }
    }
    try check()
  }

  /// Checks that the options can be combined.
  ///
  /// - Throws: `Mistake`.
  package func check() throws(Mistake) {
    let printing = [("--example", example), ("--devices", devices), ("--udev-rule", udevRule)].filter(\.1)
    if let first = printing.first, checks || seconds != nil || file != nil || printing.count > 1 {
      throw Mistake("\(first.0) cannot be combined with other arguments")
    }
    if safe, checks || seconds != nil || !printing.isEmpty {
      throw Mistake("--safe can be combined only with a configuration")
    }
    if asService, !checks {
      throw Mistake("--as-service needs --check: type \(ToolName.rig) --check --as-service")
    }
    if unit != nil, !asService {
      throw Mistake("--unit needs --as-service: type \(ToolName.rig) --check --as-service --unit FILE")
    }
    if checks, seconds != nil { throw Mistake("--check cannot be combined with --seconds") }
  }

  /// The output of `momu-rig --help`.
  package static var helpText: String {
    """
    OVERVIEW: Stream sensors as OSC, as set in a configuration.

    If a device is missing, the rig waits for it. If a target cannot be reached, the rig tries again. It reports
    mistakes in the configuration and runs the rest. Without CONFIG, it reads the first existing file of
    \(RigFile.usual.joined(separator: ", ")).
    At SIGHUP, it reads the configuration again. Ctrl-C ends it.

    USAGE: \(ToolName.rig) [--check] [--as-service] [--unit FILE] [--example] [--devices] [--udev-rule] [--safe]
           [--seconds SECONDS] [CONFIG]

    ARGUMENTS:
      CONFIG               The configuration file.

    OPTIONS:
      --check              Check the configuration only; status 1 if it has faults.
      --as-service         Check with the access rights of the service momu-rig.
      --unit FILE          Unit file of the service (default: the installed one).
      --example            Print an example configuration.
      --devices            List the devices that a configuration can name.
      --udev-rule          Print the udev rules that give the service its devices.
      --safe               Set all outputs to their safe values, then end.
      --seconds SECONDS    Stop after this many seconds.
      -h, --help           Print this text.

    """
  }
}
