import ArgumentParser
import MoMu
import MoRig

/// `momu rig`: sensors in, OSC out, for months.
struct RigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rig", abstract: "Stream sensors as OSC, as a configuration says, until it is stopped.",
    discussion: """
      Devices that are not there are waited for, targets that cannot be reached are tried again; what is wrong in the \
      configuration is named, and the rest runs. Without CONFIG it \
      reads the first that is there of \(RigFile.usual.joined(separator: ", ")). Docs/Rig.md explains the settings. \
      Under systemd (Type=notify) it says when it is ready, and is its watchdog's. SIGHUP has it read the \
      configuration again. Ctrl-C ends it.
      """)

  @Flag(
    help:
      "Only read the configuration: say what is wrong in it, and what it would do here; status 1 if something would not work."
  )
  var check = false

  @Flag(
    help:
      "Check as the service momu-rig, which is a user of its own and does not see all folders."
  )
  var asService = false

  @Option(
    help: ArgumentHelp("The unit of the service, where it is not the installed one.", valueName: "FILE"))
  var unit: String?

  @Flag(help: "Print a configuration to begin with.")
  var example = false

  @Option(help: ArgumentHelp("Stop after so many seconds.", valueName: "N"), transform: readSeconds)
  var seconds: Double?

  @Argument(help: ArgumentHelp("The configuration.", valueName: "CONFIG"))
  var file: String?

  func validate() throws {
    if example, check || seconds != nil || file != nil {
      throw ValidationError("--example prints a configuration and reads none: give it alone")
    }
    if asService, !check {
      throw ValidationError("--as-service belongs to --check: momu rig --check --as-service")
    }
    if unit != nil, !asService {
      throw ValidationError("--unit belongs to --as-service: momu rig --check --as-service --unit FILE")
    }
    if check, seconds != nil {
      throw ValidationError("--check reads no sensor: leave out --seconds")
    }
  }

  func run() throws {
    guard !example else {
      show(RigExample.text)
      return
    }
    guard !check else { return try preview() }
    try RigSession(file: file, seconds: seconds).run()
  }

  /// Says what would not work.
  private func preview() throws {
    let check = RigCheck(try RigFile.reading(file), as: try access())
    show(RigPreview.text(check))
    if !check.isRight { throw ExitCode(1) }
  }

  /// Who would read the devices.
  private func access() throws -> RigAccess {
    guard asService else { return .caller }
    guard let unit = ServiceUnit.read(unit) else {
      throw ValidationError(
        "there is no unit of the service (\(unit ?? ServiceUnit.usual.joined(separator: ", "))): install the package, or "
          + "name one with --unit FILE")
    }
    return .service(unit)
  }
}
