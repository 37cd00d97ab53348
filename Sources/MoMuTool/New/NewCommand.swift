import ArgumentParser
import MoMu

/// `momu new`: creates a package with an instrument that plays immediately.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create your own package with an instrument that plays.",
    discussion: """
      This command creates the folder NAME here. In it, swift run plays the instrument, and swift test checks the laws \
      that every instrument must keep.
      """)

  @Argument(
    help: ArgumentHelp("The instrument's type name in Swift, such as Bell.", valueName: "NAME"))
  var name: String

  @Option(
    help: ArgumentHelp(
      "MoMu's sources (default: where momu was built).", valueName: "FOLDER"))
  var momu: String?

  func run() throws {
    let sources = try MoMuSources.found(named: momu)
    let name = try PackageName(name, beside: sources)
    let package = PackageTemplate(name: name, momu: sources.folder)
    try package.write(to: name.folder)
    show(
      """
      Created \(name.folder). Now:

        cd \(name.folder)
        swift run        plays it: space strikes, a to k are keys, Ctrl-C ends
        swift test       checks the laws that every instrument must keep

      The first build compiles MoMu too, which takes one to two minutes. Then change \(package.instrumentFile).

      """)
  }
}
