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
  ///   - arguments: the command line, beginning with the program's name.
  /// - Thread: the main thread.
  public static func play<Sound: Instrument>(
    _ kind: Sound.Type, arguments: [String] = CommandLine.arguments
  ) {
    play(InstrumentFactory(kind), arguments: arguments)
  }

  /// Runs a program that plays the instrument of a catalogue's entry, as `play` does for an instrument's type.
  ///
  /// - Parameters:
  ///   - entry: the instrument's entry in a catalogue.
  ///   - arguments: the command line, beginning with the program's name.
  /// - Thread: the main thread.
  public static func play(_ entry: InstrumentFactory, arguments: [String] = CommandLine.arguments) {
    var words = Array(arguments.dropFirst())
    do {
      let options = try PlayOptions(taking: &words)
      for remark in try options.remarks(on: entry) { MoLog.log(.warning, remark) }
      run(entry.page + "\n" + PlayOptions.help, arguments: Array(arguments.prefix(1)) + words) {
        if Run.current.options.given.contains("room") { throw PlayError.alone }
        _ = try Performance(of: entry, options)
      }
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
  ///   - arguments: the command line, beginning with the program's name.
  /// - Thread: the main thread.
  public static func playTogether<Sound: Instrument>(
    _ kind: Sound.Type, arguments: [String] = CommandLine.arguments
  ) {
    let entry = InstrumentFactory(kind)
    var words = Array(arguments.dropFirst())
    do {
      let options = try PlayOptions(taking: &words)
      for remark in try options.remarks(on: entry) { MoLog.log(.warning, remark) }
      run(entry.page + "\n" + PlayOptions.help, arguments: Array(arguments.prefix(1)) + words) {
        let remark = options.tempo == nil ? nil : PlayRoom.tempoRemark
        _ = try Performance(of: entry, options, in: .named(saying: remark))
      }
    } catch {
      ConsoleWriter.error.writeLines("\(error)\n")
      exit(1)
    }
  }
}
