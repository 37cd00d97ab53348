import ArgumentParser
import MoOSC

/// `momu tape`: what is on a tape, and other tapes made of it.
struct TapeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tape", abstract: "Inspect, cut and merge tapes (Docs/Tapes.md).",
    subcommands: [TapeInspectCommand.self, TapeCutCommand.self, TapeMergeCommand.self])
}

/// Opens a tape.
///
/// - Throws: `OSCTapeError`, or `ToolError` where its own advice would be an option that this tool has not.
func openTape(_ path: String) throws -> OSCTapeReader {
  do throws(OSCTapeError) { return try OSCTapeReader(path: path) } catch { throw ToolError.explaining(error) }
}

/// Nanoseconds of a tape, as people write them: `12.5 s`.
func tapeSeconds(_ nanoseconds: Int64) -> String {
  let milliseconds = nanoseconds / 1_000_000
  let rest = String(milliseconds % 1000)
  var digits = String(repeating: "0", count: 3 - rest.count) + rest
  while digits.hasSuffix("0") { digits.removeLast() }
  return "\(milliseconds / 1000)\(digits.isEmpty ? "" : ".\(digits)") s"
}
