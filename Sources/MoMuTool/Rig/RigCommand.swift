import ArgumentParser
import MoMu
import MoRig

/// `momu rig`: sensors in, OSC out, for months.
struct RigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rig", abstract: "Stream sensors as OSC, as a configuration says, until it is stopped.",
    discussion: """
      Devices that are not there are waited for, targets that cannot be reached are tried again. Without CONFIG it \
      reads the first that is there of \(RigFile.usual.joined(separator: ", ")). Docs/Rig.md explains the settings. \
      Under systemd (Type=notify) it says when it is ready, and is its watchdog's. Ctrl-C ends it.
      """)

  @Flag(help: "Only read the configuration: say what is wrong in it, or what it would do here.")
  var check = false

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
    if check, seconds != nil {
      throw ValidationError("--check reads no sensor: leave out --seconds")
    }
  }

  func run() throws {
    guard !example else {
      show(RigExample.text)
      return
    }
    let (path, configuration) = try RigFile.read(file)
    guard !check else {
      show(RigPreview.text(configuration, file: path))
      return
    }
    try RigSession(configuration, file: path, seconds: seconds).run()
  }
}
