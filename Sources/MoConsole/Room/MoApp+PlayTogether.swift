import Glibc
import MoInstruments
import MoOrchestra

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
      ConsoleWriter.error.say("\(error)\n")
      exit(1)
    }
  }
}
