import ArgumentParser
import MoOSC

/// `momu tape cut`: copies a part of a tape to a new tape.
struct TapeCutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cut", abstract: "Copy a part of a tape to a new tape.",
    discussion: """
      A message at --from is at 0 on the new tape. A message at --to is not on it. The date of the new tape is that of \
      its own start; in counted time, a tape has no date. The new tape appears when it is complete. It may replace the \
      old one: -o FILE.
      """)

  @Option(
    help: ArgumentHelp(
      "Start of the part (default: the tape's start).", valueName: "SECONDS"),
    transform: readMoment)
  var from: Int64?

  @Option(
    help: ArgumentHelp("End of the part (default: the tape's end).", valueName: "SECONDS"),
    transform: readMoment)
  var to: Int64?

  @Option(name: [.short, .long], help: ArgumentHelp("The tape to create or replace.", valueName: "FILE"))
  var output: String

  @Argument(help: ArgumentHelp("The tape.", valueName: "FILE"))
  var file: String

  func validate() throws {
    guard from != nil || to != nil else {
      throw ValidationError("the part is missing: add --from SECONDS, --to SECONDS or both")
    }
    guard from ?? 0 < to ?? .max else { throw ValidationError("--from must be less than --to") }
  }

  func run() throws {
    let tape = try openTape(file)
    let (begin, end) = (from ?? 0, to ?? .max)
    let start = tape.start.nanosecondsSince1970
    // A tape in counted time has no date: its start stays 0, and the time tags in its packets move instead.
    let shift = start == 0 ? -begin : 0
    let made = try TapeOutput(
      path: output, startNanosecondsSince1970: start + begin + shift,
      madeBy: "\(tape.madeBy ?? "unknown"), cut")
    var packets = SentPackets(tape)
    var latest: Int64 = 0
    var isAtEnd = true
    while var entry = try packets.next() {
      guard entry.nanoseconds < end else {
        isAtEnd = false
        break
      }
      latest = entry.nanoseconds
      guard entry.nanoseconds >= begin else { continue }
      entry.packet = entry.packet.shifted(byNanoseconds: shift)
      try made.write(entry, atNanoseconds: entry.nanoseconds - begin)
    }
    if let warning = tape.warning { printDiagnostic(warning) }
    guard made.messages > 0 else {
      throw ToolError.nothingOnTape(
        path: file, from: tapeSeconds(begin), to: to.map { tapeSeconds($0) } ?? "its end",
        end: isAtEnd ? tapeSeconds(latest) : nil)
    }
    try made.finish()
  }
}

/// Parses a number of seconds after a tape's start, such as `12.5`; returns the time in nanoseconds.
@Sendable
private func readMoment(_ text: String) throws -> Int64 {
  guard let seconds = Double(text), (0...1e9).contains(seconds) else {
    throw ValidationError("must be a number of seconds from 0, such as 12.5")
  }
  return Int64((seconds * 1e9).rounded())
}
