import Glibc
import MoRuntime
import MoSensing

/// The program `momu-rig`: a rig without the other commands of the tool `momu`.
///
/// The exit status is 0 for success, 1 if the program failed or the check found something, 64 for wrong arguments.
package enum RigProgram {
  /// Runs a command line.
  ///
  /// - Parameters:
  ///   - words: the command line without the program's name.
  ///   - show: writes to standard output.
  /// - Returns: the exit status.
  /// - Thread: the main thread.
  package static func run(_ words: [String], show: (String) -> Void) -> Int32 {
    do {
      let arguments = try RigArguments(words)
      if arguments.help {
        show(RigArguments.helpText)
        return 0
      }
      return try run(arguments, show: show)
    } catch {
      ConsoleWriter.error.writeLines("\(error)\n")
      return error is RigArguments.Mistake ? 64 : 1
    }
  }

  /// Runs the parsed arguments.
  ///
  /// - Returns: the exit status.
  /// - Throws: `RigArguments.Mistake`, `RigProblem`, `RigProblems`, `NetError`, `MoThread.Failure`.
  package static func run(_ arguments: RigArguments, show: (String) -> Void) throws -> Int32 {
    if arguments.example {
      show(RigExample.text)
      return 0
    }
    if arguments.devices {
      show(RigDevices.text())
      return 0
    }
    if arguments.udevRule {
      show(UdevRule.text)
      return 0
    }
    if arguments.safe { return try makeSafe(RigFile.reading(arguments.file).configuration.outputs) }
    guard arguments.checks else {
      try RigSession(file: arguments.file, seconds: arguments.seconds).run()
      return 0
    }
    let check = RigCheck(try RigFile.reading(arguments.file), as: try access(arguments))
    show(RigPreview.text(check))
    return check.isRight ? 0 : 1
  }

  /// Sets outputs to their safe values, as the service manager requests after a crash of a rig.
  private static func makeSafe(_ outputs: [RigOutput]) -> Int32 {
    var status: Int32 = 0
    for output in outputs {
      do throws(OutputError) {
        try makeSafe(output)
      } catch {
        ConsoleWriter.error.writeLines("[\(output.title)] could not be set to its safe value: \(error)\n")
        status = 1
      }
    }
    return status
  }

  /// Sets an output to its safe value; waits a second if udev has not given access to a new device yet.
  private static func makeSafe(_ output: RigOutput) throws(OutputError) {
    do throws(OutputError) {
      _ = try output.device?.open(level: output.safe, frequency: output.frequency)
    } catch {
      guard error.mayPass else { throw error }
      usleep(1_000_000)
      _ = try output.device?.open(level: output.safe, frequency: output.frequency)
    }
  }

  /// Returns the user that would read the devices.
  private static func access(_ arguments: RigArguments) throws(RigArguments.Mistake) -> RigAccess {
    guard arguments.asService else { return .caller }
    guard let unit = ServiceUnit.read(arguments.unit) else {
      let places = arguments.unit ?? ServiceUnit.usual.joined(separator: ", ")
      throw RigArguments.Mistake(
        "there is no unit of the service (\(places)): install the package, or name one with --unit FILE")
    }
    return .service(unit)
  }
}

/// The devices of this machine that a configuration can name.
enum RigDevices {
  /// Returns a heading for each kind of sensor that has a device here, with a line for each device.
  static func text() -> String {
    let names = LastingNames()
    return text(AnySensorKind.all.map { ($0, $0.devices().filter(\.isReal).map(names.name)) })
  }

  static func text(_ kinds: [(kind: AnySensorKind, devices: [NamedDevice])]) -> String {
    let found = kinds.filter { !$0.devices.isEmpty }
    guard !found.isEmpty else {
      return "no device that a rig can read is here: plug one in, and type \(ToolName.devices) again\n"
    }
    let width = found.flatMap(\.devices).map(\.name.printable.count).max() ?? 0
    return found.map { kind, devices in
      "[\(kind.name)]\n"
        + devices.map { device in
          "  source = \(device.name.printable.padded(to: width))  # \(device.about.printable)\n"
        }.joined()
    }.joined()
  }
}

/// The output of `momu rig --check`.
package enum RigPreview {
  /// Returns a line for each mistake and each sensor.
  ///
  /// Below each sensor are the reasons for which it would wait, be silent or not start.
  package static func text(_ check: RigCheck) -> String {
    let (configuration, file) = (check.reading.configuration, check.reading.file)
    let outputs = configuration.outputs.count
    let sensors =
      counted(configuration.streams.count, "sensor") + (outputs > 0 ? ", \(counted(outputs, "output"))" : "")
    let mistakes = check.reading.problems.count
    var text = check.reading.problems.map { "\($0)\n" }.joined()
    let faults = check.remarks.filter { $0.weight == .fault }.count
    text +=
      mistakes > 0
      ? "\(file): \(counted(mistakes, "mistake")); the rest has \(sensors)\n"
      : faults > 0
        ? "\(file): no mistake, \(sensors), but \(counted(faults, "fault")) on this machine\n"
        : "\(file): no mistake, \(sensors)\n"
    for stream in configuration.streams {
      text += "  \(stream.summary)\n"
      for remark in check.remarks where remark.title == stream.title { text += "    \(remark.text)\n" }
    }
    for output in configuration.outputs {
      text += "  \(output.summary)\n"
      for remark in check.remarks where remark.title == output.title { text += "    \(remark.text)\n" }
    }
    for remark in check.remarks where remark.title == nil { text += "  \(remark.text)\n" }
    return text
  }
}
