import ArgumentParser

/// The parser of the command line of `momu`, with all its subcommands.
///
/// - Thread: the main thread.
package struct MomuCommand: ParsableCommand {
  /// The name and the subcommands of `momu`.
  package static let configuration = CommandConfiguration(
    commandName: "momu", abstract: "Play, connect, measure and check MoMu's instruments.",
    version: Momu.release,
    subcommands: [
      CalibrateCommand.self, DevicesCommand.self, DoctorCommand.self, InstrumentsCommand.self,
      MIDICommand.self, NewCommand.self,
      OSCCommand.self, PlayCommand.self, RigCommand.self, RunCommand.self, ScopeCommand.self,
      SessionCommand.self,
      SimulateCommand.self, TapeCommand.self,
    ])

  /// Creates the command; only the parser of the command line calls this initializer.
  package init() {}
}
