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

  private var words: RigArguments {
    var words = RigArguments()
    (words.checks, words.asService, words.unit) = (check, asService, unit)
    (words.example, words.seconds, words.file) = (example, seconds, file)
    return words
  }

  func validate() throws {
    do { try words.check() } catch { throw ValidationError("\(error)") }
  }

  func run() throws {
    do {
      let status = try RigProgram.run(words) { show($0) }
      if status != 0 { throw ExitCode(status) }
    } catch let mistake as RigArguments.Mistake {
      throw ValidationError("\(mistake)")
    }
  }
}
