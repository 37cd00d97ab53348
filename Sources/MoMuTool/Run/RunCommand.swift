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
    if isatty(STDERR_FILENO) == 1, !common.quiet { printDiagnostic("Building \(file).") }
    let built: (entry: InstrumentFactory, remarks: String)
    do {
      built = try builder.build()
    } catch {
      builder.clean()
      throw error
    }
    if !built.remarks.isEmpty { printDiagnostic(built.remarks) }
    let options = try playing.options(for: built.entry)
    MoApp.run(built.entry.sheet.summary, arguments: playing.arguments("momu run \(file)", common)) {
      let performance = try Performance(of: built.entry, options, in: playing.playRoom)
      guard watch else { return }
      _ = try WatchedFile(file, since: stamp, builder, performance)
      Run.current.notice("\(file) plays. It is rebuilt each time you save it.")
    }
  }
}

/// An error of `momu run`; its text says what to type or to change.
enum RunError: Error, CustomStringConvertible, Equatable {
  case unreadable(path: String, reason: String)
  case isFolder(path: String)
  case noInstrument(path: String)
  case isProgram(path: String)
  case isAlsoProgram(path: String)
  case noCompiler
  case noModules(folder: String)
  case cannotBuild(String)
  case incompleteBuild(sources: String, remarks: String)
  case cannotLoad(path: String, reason: String)
  case cannotWrite(path: String, reason: String)
  case noHome

  var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .isFolder(let path): "\(path) is a folder: name a file in it, such as bell.swift"
    case .noInstrument(let path):
      "\(path) declares no instrument: it needs a type such as struct Bell: Instrument (Docs/YourFirstInstrument.md)"
    case .isProgram(let path):
      "\(path) is a program, but momu run plays only a file that declares an Instrument: "
        + InstrumentFile.wayToStart(program: path)
    case .isAlsoProgram(let path):
      "\(path) declares an instrument and also starts a program: remove MoApp from it"
    case .noCompiler:
      "cannot find swiftc: install Swift (https://www.swift.org/install/linux/), or add its folder to PATH"
    case .noModules(let folder):
      "\(folder) has no modules to build with: type swift run momu run FILE in the folder of MoMu's sources"
    case .cannotBuild(let text): text
    case .incompleteBuild(let sources, let remarks):
      "MoMu's own build in \(sources) is incomplete (it may have been interrupted): "
        + "type make -C \(sources) install, then momu run again; the compiler says:\n\(remarks)"
    case .cannotLoad(let path, let reason):
      "cannot load the build of \(path): \(reason); type make install in MoMu's folder"
    case .noHome:
      "cannot find your cache folder: neither HOME nor XDG_CACHE_HOME is set; type "
        + "XDG_CACHE_HOME=/your/folder momu run FILE"
    case .cannotWrite(let path, let reason):
      "cannot write \(path): \(reason); set XDG_CACHE_HOME to a folder that you can write to"
    }
  }
}
