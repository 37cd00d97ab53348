import ArgumentParser
import Glibc
import MoConsole
import MoOrchestra

/// `momu run`: plays an instrument from a single Swift file; with `--watch`, rebuilds it each time you save the file.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Play an instrument from a single Swift file.",
    discussion: """
      The file declares a type that conforms to Instrument, such as the one that momu new creates. This command plays \
      it as momu play plays the instruments of MoMu. With --watch, the file is rebuilt each time you save it. The old \
      sound continues until the new one is ready. If the build fails, the old sound stays.
      """)

  @Argument(help: ArgumentHelp("The Swift file of the instrument.", valueName: "FILE"))
  var file: String

  @Flag(help: "Rebuild and replace the instrument each time you save.")
  var watch = false

  @OptionGroup var playing: PlayArguments
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if watch, common.offline {
      throw ValidationError("--offline renders faster than you can save: leave out --watch or --offline")
    }
    try playing.validate(with: common)
    try playing.validate(for: file)
  }

  func run() throws {
    let stamp = FileStamp(file)
    let builder = try InstrumentBuilder(file)
    defer { builder.clean() }
    // A first build compiles the system's modules too, which takes up to a minute.
    if isatty(STDERR_FILENO) == 1, !common.quiet { complain("Building \(file).") }
    let built: (entry: InstrumentFactory, remarks: String)
    do {
      built = try builder.build()
    } catch {
      builder.clean()
      throw error
    }
    if !built.remarks.isEmpty { complain(built.remarks) }
    let options = try playing.options(for: built.entry)
    MoApp.run(built.entry.sheet.summary, arguments: playing.arguments("momu run \(file)", common)) {
      let performance = try Performance(of: built.entry, options, in: playing.playRoom)
      guard watch else { return }
      _ = try WatchedFile(file, since: stamp, builder, performance)
      Run.current.notice("\(file) plays. It is rebuilt each time you save it.")
    }
  }
}
