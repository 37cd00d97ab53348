import ArgumentParser
import MoOSC

/// `momu tape cut`: a part of a tape, as a tape.
struct TapeCutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cut", abstract: "Make a tape of a part of another.",
    discussion: """
      What was at --from is at 0 on the new tape; what is at --to is no more on it. Its date is that of its own \
      beginning. The new tape takes its place when it is whole, and may be the old one: -o FILE.
      """)

  @Option(
    help: ArgumentHelp(
      "Where the part begins, in seconds; the tape's beginning if not said.", valueName: "S"),
    transform: readMoment)
  var from: Int64?

  @Option(
    help: ArgumentHelp("Where it ends, in seconds; the tape's end if not said.", valueName: "S"),
    transform: readMoment)
  var to: Int64?

  @Option(name: [.short, .long], help: ArgumentHelp("The tape to make or replace.", valueName: "OUT"))
  var output: String

  @Argument(help: ArgumentHelp("The tape.", valueName: "FILE"))
  var file: String

  func validate() throws {
    guard from != nil || to != nil else {
      throw ValidationError("say what to keep: --from 2 --to 10, or one of them")
    }
    guard from ?? 0 < to ?? .max else { throw ValidationError("--from comes before --to") }
  }

  func run() throws {
    let tape = try openTape(file)
    let (begin, end) = (from ?? 0, to ?? .max)
    let made = try TapeOutput(
      path: output, startNanosecondsSince1970: tape.start.nanosecondsSince1970 + begin,
      madeBy: "\(tape.madeBy ?? "unknown"), cut")
    var packets = SentPackets(tape)
    var latest: Int64 = 0
    var isAtEnd = true
    while let entry = try packets.next() {
      guard entry.nanoseconds < end else {
        isAtEnd = false
        break
      }
      latest = entry.nanoseconds
      if entry.nanoseconds >= begin { try made.write(entry, atNanoseconds: entry.nanoseconds - begin) }
    }
    if let warning = tape.warning { complain(warning) }
    guard made.messages > 0 else {
      throw ToolError.nothingOnTape(
        path: file, from: tapeSeconds(begin), to: to.map { tapeSeconds($0) } ?? "its end",
        end: isAtEnd ? tapeSeconds(latest) : nil)
    }
    try made.finish()
  }
}

/// Seconds from a tape's beginning, as nanoseconds.
@Sendable
private func readMoment(_ text: String) throws -> Int64 {
  guard let seconds = Double(text), (0...1e9).contains(seconds) else {
    throw ValidationError("it is a number of seconds from 0, such as 12.5")
  }
  return Int64((seconds * 1e9).rounded())
}
