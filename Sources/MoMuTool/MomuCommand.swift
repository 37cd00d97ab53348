import ArgumentParser

/// The command `momu`: what one types beside the instruments.
///
/// - Thread: the main thread.
public struct MomuCommand: ParsableCommand {
  /// Its verbs.
  public static let configuration = CommandConfiguration(
    commandName: "momu", abstract: "Tools around MoMu's instruments.",
    version: Momu.release,
    subcommands: [
      CalibrateCommand.self, DevicesCommand.self, DoctorCommand.self, InstrumentsCommand.self,
      NewCommand.self,
      OSCCommand.self, PlayCommand.self, RigCommand.self, RunCommand.self, ScopeCommand.self,
      SessionCommand.self,
      SimulateCommand.self, TapeCommand.self,
    ])

  /// Made by the parser from the command line.
  public init() {}
}
