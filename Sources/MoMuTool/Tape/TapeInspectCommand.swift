import ArgumentParser
import MoOSC

/// `momu tape inspect`: shows the streams of a tape with their span and rate.
struct TapeInspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Show a tape's streams, readings, span, rates and pauses.",
    discussion: """
      A stream is an address, or a channel of /momu/sensor. The rate is that of the stream's usual interval, the \
      median of its intervals. A pause is an interval at least ten times as long as that. If a tape is damaged, this \
      command shows the part that plays, then the place of the damage. The status is then 1.
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  @Argument(help: ArgumentHelp("The tape.", valueName: "FILE"))
  var file: String

  func run() throws {
    let tape = try openTape(file)
    var contents = TapeContents()
    var damage: OSCTapeError?
    do throws(OSCTapeError) {
      while let reading = try tape.next() { contents.take(reading) }
    } catch {
      damage = error
    }
    let report = TapeReport(path: file, start: tape.start, madeBy: tape.madeBy, contents: contents)
    show(json ? report.json(warning: damage.map { "\($0)" } ?? tape.warning) : report.text)
    if let damage { throw damage }
    if let warning = tape.warning { complain(warning) }
  }
}
