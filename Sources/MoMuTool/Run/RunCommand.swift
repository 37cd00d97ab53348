import ArgumentParser
import MoConsole
import MoOrchestra

/// `momu run`: an instrument in one file, without a package; played on while it is being written.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Play an instrument that is one Swift file; with --watch, while you write it.",
    discussion: """
      The file declares a type that is an Instrument, as momu new makes one. It is played as momu play plays those \
      that come with MoMu. With --watch it is built whenever it is saved: the old sound goes on until the new one is \
      there, and on where it cannot be built.
      """)

  @Argument(help: ArgumentHelp("The Swift file with the instrument.", valueName: "FILE"))
  var file: String

  @Flag(help: "Build it again whenever it is saved, and play on with what was built.")
  var watch = false

  @OptionGroup var playing: PlayArguments
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if watch, common.offline {
      throw ValidationError("--offline renders faster than anybody can save: leave --watch or --offline out")
    }
    try playing.validate(with: common)
    try playing.validate(for: file)
  }

  func run() throws {
    let stamp = FileStamp(file)
    let builder = try InstrumentBuilder(file)
    defer { builder.clean() }
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
      Run.current.notice("\(file) plays, and is built anew whenever it is saved.")
    }
  }
}
