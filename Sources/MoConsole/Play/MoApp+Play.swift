import Glibc
import MoDSP
import MoInstruments
import MoMu
import MoOrchestra

extension MoApp {
  /// Runs a program that plays an instrument by keys, movement, notes or the network, as `momu play` does.
  ///
  /// ```swift
  /// MoApp.play(Bell.self)
  /// ```
  ///
  /// The program accepts the options of `MoApp.run`, and those of `momu play`: `--notes`, `--tempo`, `--set`,
  /// `--mapping` and `--tape`. `--help` shows the options and the instrument's parameters.
  ///
  /// The program cannot join a room. For a program that also plays in a room, use `MoApp.playTogether`.
  ///
  /// - Parameters:
  ///   - kind: the type of the instrument.
  ///   - own: the options that only this program has.
  ///   - arguments: the command line, beginning with the program's name.
  /// - Thread: the main thread.
  public static func play<Sound: Instrument>(
    _ kind: Sound.Type, options own: [MoOption] = [], arguments: [String] = CommandLine.arguments
  ) {
    play(InstrumentFactory(kind), options: own, arguments: arguments)
  }

  /// Runs a program that plays the instrument of a catalogue's entry, as `play` does for an instrument's type.
  ///
  /// - Parameters:
  ///   - entry: the instrument's entry in a catalogue.
  ///   - own: the options that only this program has.
  ///   - arguments: the command line, beginning with the program's name.
  /// - Thread: the main thread.
  public static func play(
    _ entry: InstrumentFactory, options own: [MoOption] = [], arguments: [String] = CommandLine.arguments
  ) {
    play(entry, own, arguments) { options in
      if Run.current.options.given.contains("room") { throw PlayError.alone }
      _ = try Performance(of: entry, options)
    }
  }

  /// Parses the play options, and runs the program with the other options.
  private static func play(
    _ entry: InstrumentFactory, _ own: [MoOption], _ arguments: [String], _ body: (PlayOptions) throws -> Void
  ) {
    var words = Array(arguments.dropFirst())
    do {
      for option in PlayOption.table where own.contains(where: { $0.row.name == option.name }) {
        throw OptionError.declaredTwice(option.flag)
      }
      let options = try PlayOptions(taking: &words)
      for remark in try options.remarks(on: entry) { MoLog.log(.warning, remark) }
      let about = entry.page + "\n" + PlayOptions.help
      run(about, options: own, arguments: Array(arguments.prefix(1)) + words) { try body(options) }
    } catch {
      ConsoleWriter.error.writeLines("\(error)\n")
      exit(1)
    }
  }
}

extension MoApp {
  /// Runs a program that plays an instrument, as `MoApp.play` does, and shares it in a room.
  ///
  /// ```swift
  /// MoApp.playTogether(Bell.self)
  /// ```
  ///
  /// With `--room NAME`, a key or strike sounds on all machines that play the same instrument in the room. The program
  /// then follows the room's rhythm. `--passkey KEY` locks the room. Without a room, the program plays alone.
  ///
  /// - Parameters:
  ///   - kind: the type of the instrument.
  ///   - own: the options that only this program has.
  ///   - arguments: the command line, beginning with the program's name.
  /// - Thread: the main thread.
  public static func playTogether<Sound: Instrument>(
    _ kind: Sound.Type, options own: [MoOption] = [], arguments: [String] = CommandLine.arguments
  ) {
    let entry = InstrumentFactory(kind)
    play(entry, own, arguments) { options in
      let remark = options.tempo == nil ? nil : PlayRoom.tempoRemark
      _ = try Performance(of: entry, options, in: .named(saying: remark))
    }
  }
}
