import ArgumentParser

/// `momu tape`: shows, cuts and merges tapes.
struct TapeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tape", abstract: "Inspect, cut and merge tapes (Docs/Tapes.md).",
    subcommands: [TapeInspectCommand.self, TapeCutCommand.self, TapeMergeCommand.self])
}
