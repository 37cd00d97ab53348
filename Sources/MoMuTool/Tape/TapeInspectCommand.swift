import ArgumentParser
import MoOSC

/// `momu tape inspect`: what streams are on a tape, how long, how dense.
struct TapeInspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Show what is on a tape: streams, readings, span, rate, pauses.",
    discussion: """
      A stream is an address; of /momu/sensor, each channel is one. The rate is that of its usual interval, which half \
      of all intervals are not longer than. A pause is an interval ten times as long as that. Of a tape that is \
      damaged it shows what plays, then says where it is damaged; the status is 1.
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
