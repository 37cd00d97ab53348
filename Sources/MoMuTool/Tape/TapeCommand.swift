import ArgumentParser

/// `momu tape`: what is on a tape, and other tapes made of it.
struct TapeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tape", abstract: "Inspect, cut and merge tapes (Docs/Tapes.md).",
    subcommands: [TapeInspectCommand.self, TapeCutCommand.self, TapeMergeCommand.self])
}
