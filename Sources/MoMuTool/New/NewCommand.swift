import ArgumentParser
import MoMu

/// `momu new`: a package of one's own, with an instrument that plays at once.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Make a package of your own, with a new instrument that plays at once.",
    discussion: """
      The folder NAME is made here. In it, swift run plays the instrument, and swift test holds it to the laws that \
      every instrument keeps.
      """)

  @Argument(
    help: ArgumentHelp("What the instrument is to be called in Swift, such as Bell.", valueName: "NAME"))
  var name: String

  @Option(
    help: ArgumentHelp(
      "The folder of MoMu's sources; left out, the one that momu was built in.", valueName: "FOLDER"))
  var momu: String?

  func run() throws {
    let sources = try MoMuSources.found(named: momu)
    let name = try PackageName(name, beside: sources)
    let package = PackageTemplate(name: name, momu: sources.folder)
    try package.write(to: name.folder)
    show(
      """
      \(name.folder) is made. Now:

        cd \(name.folder)
        swift run        plays it: space strikes, a to k are keys, Ctrl-C ends
        swift test       holds it to the laws that every instrument keeps

      Then change \(package.instrumentFile).

      """)
  }
}
