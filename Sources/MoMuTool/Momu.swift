import ArgumentParser
import Glibc
import MoOrchestra
import MoRuntime

#if STK
  import MoInstruments
  import MoSTK
#endif

/// Runs the command `momu`, from its arguments to its exit status.
///
/// The status is 0 on success, 1 on failure (or if the doctor found a problem), 64 for a wrong command line, and 130 for
/// a command that was interrupted before its task was done.
package enum Momu {
  /// The release of MoMu, which `momu --version` prints, and which sessions report to other members.
  static let release = MoMuRelease.current

  /// Runs the command and ends the process.
  ///
  /// - Parameter arguments: the command line without the program's name.
  /// - Thread: the main thread.
  package static func main(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) -> Never {
    // If the reader has closed the pipe (`| head`), the write fails, and the command still prints its summary.
    signal(SIGPIPE, SIG_IGN)
    // These are for instruments: MOMU_NET would take the tool's port, and MOMU_OFFLINE its clock.
    for name in ["MOMU_NET", "MOMU_OFFLINE"] { unsetenv(name) }
    #if STK
      Instruments.add(StkInstruments.all)
    #endif
    if let text = unknownVerb(arguments) {
      printDiagnostic(text)
      exit(64)
    }
    do {
      var command = try MomuCommand.parseAsRoot(separated(arguments))
      try command.run()
      exit(StandardOutput.hasFailed ? 1 : 0)
    } catch {
      // The parser explains its own errors; other errors have their own texts.
      guard !(error is ExitCode), MomuCommand.exitCode(for: error) == .failure else {
        MomuCommand.exit(withError: error)
      }
      printDiagnostic("\(error)")
      exit(1)
    }
  }

  /// Returns the arguments with `--midi nano` in place of `--midi=nano`, for each option whose value you may leave out.
  ///
  /// If another option follows, the parser loses a value after `=`. A value that is empty or begins with `-` stays as
  /// typed, and the parser may lose it.
  static func separated(_ arguments: [String]) -> [String] {
    // `momu osc send` and `momu midi send` send their words unchanged.
    guard arguments.dropFirst().first != "send" else { return arguments }
    return arguments.flatMap { argument -> [String] in
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, !parts[1].hasPrefix("-"),
        case .optionalText = RunOption.table.first(where: { $0.flag == parts[0] })?.value
      else { return [argument] }
      return parts
    }
  }

  /// Returns the error message for a command that does not exist; nil if the command exists.
  ///
  /// The parser itself would only report "unexpected argument".
  static func unknownVerb(_ arguments: [String]) -> String? {
    var verbs = MomuCommand.configuration.subcommands
    var path = ["momu"]
    for word in arguments {
      guard !verbs.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
      guard let verb = verbs.first(where: { $0.configuration.commandName == word }) else {
        let command = path.joined(separator: " ")
        let unknown = "\(command) has no command \"\(word)\""
        if path.count == 1, word.hasSuffix(".swift") {
          return "\(unknown): to play a file, type \(command) run \(word)"
        }
        let names = verbs.map { $0.configuration.commandName ?? "" }
        if let nearest = Spelling.nearest(to: word, among: names) {
          return "\(unknown): did you mean \(nearest)? \(command) --help lists all commands"
        }
        return "\(unknown), only \(names.joined(separator: ", ")): \(command) --help explains them"
      }
      path.append(word)
      verbs = verb.configuration.subcommands
    }
    return nil
  }
}

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
