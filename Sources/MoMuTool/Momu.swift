import ArgumentParser
import Glibc
import MoOrchestra

#if STK
  import MoInstruments
  import MoSTK
#endif

/// The command line of `momu`, from its words to its exit status.
///
/// Status 0 when done, 1 when it could not be done (or the doctor found a problem), 64 when it was typed wrong.
public enum Momu {
  /// What the tool calls its release in a session.
  static let release = MoMuRelease.current

  /// Does what the words say, and ends the process.
  ///
  /// - Parameter arguments: the command line without the program's name.
  /// - Thread: the main thread.
  public static func main(_ arguments: [String] = Array(CommandLine.arguments.dropFirst())) -> Never {
    // A reader that went away (`| head`) is an error of that write, not the end without a summary.
    signal(SIGPIPE, SIG_IGN)
    // They are for instruments: MOMU_NET would take the tool's port from it, MOMU_OFFLINE its clock.
    for name in ["MOMU_NET", "MOMU_OFFLINE"] { unsetenv(name) }
    #if STK
      Instruments.add(StkInstruments.all)
    #endif
    if let text = unknownVerb(arguments) {
      complain(text)
      exit(64)
    }
    do {
      var command = try MomuCommand.parseAsRoot(arguments)
      try command.run()
      exit(0)
    } catch {
      // What the parser threw it explains itself; other errors have texts of their own.
      guard !(error is ExitCode), MomuCommand.exitCode(for: error) == .failure else {
        MomuCommand.exit(withError: error)
      }
      complain("\(error)")
      exit(1)
    }
  }

  /// What to say of a word that is no verb where a verb belongs; the parser says "unexpected argument".
  static func unknownVerb(_ arguments: [String]) -> String? {
    var verbs = MomuCommand.configuration.subcommands
    var path = ["momu"]
    for word in arguments {
      guard !verbs.isEmpty, !word.hasPrefix("-"), word != "help" else { return nil }
      guard let verb = verbs.first(where: { $0.configuration.commandName == word }) else {
        let command = path.joined(separator: " ")
        let names = verbs.map { $0.configuration.commandName ?? "" }.joined(separator: ", ")
        return "\(command) has no verb \"\(word)\", only \(names): \(command) --help explains them"
      }
      path.append(word)
      verbs = verb.configuration.subcommands
    }
    return nil
  }
}
