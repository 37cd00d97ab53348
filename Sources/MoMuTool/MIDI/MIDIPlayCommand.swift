import ArgumentParser
import MoCore
import MoMIDI
import MoMu

/// `momu midi play`: plays a MIDI file or a tape to a port.
struct MIDIPlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play a MIDI file (.mid) or a tape (.osc) to a port.",
    discussion: """
        momu midi play --to FLUID song.mid
        momu midi play --to FLUID 'song.mid?track=2'
      """)

  @OptionGroup var to: MIDITargetOptions

  @Argument(help: ArgumentHelp("The file, with ?track=N for one track.", valueName: "FILE"))
  var file: String

  func run() throws {
    let stop = StopWait()
    let source = MIDIFiles.source(file)
    let run = try MIDICommand.begin(["--midi=\(source)"] + to.sharedArguments)
    let server = MIDIServer.shared
    // First: an error of the source must not empty the target's file.
    let seconds = try MIDIFiles.seconds(source)
    try server.startOutput(in: run)
    // Before the start: otherwise the file's first messages could be played before the callback exists.
    _ = server.onSysEx { try? server.sendSysEx($0.bytes, at: $0.time, in: run) }
    _ = server.onEvent { try? server.send(.message($0.message), at: $0.time, in: run) }
    try MoMIDI.start()
    if !stop.wait(until: run.clock.now.advanced(bySeconds: seconds + 0.1)) { MIDICommand.finishSending(stop) }
    MoMIDI.stop()
  }
}

/// Functions for files that contain MIDI messages: tapes and MIDI files.
enum MIDIFiles {
  /// Returns the value of `--midi` for a file: `tape:FILE` if the file's name ends in `.osc`, otherwise `file:FILE`.
  static func source(_ path: String) -> String {
    let name = path.split(separator: "?").first.map { $0.lowercased() } ?? ""
    return name.hasSuffix(".osc") ? "tape:\(path)" : "file:\(path)"
  }

  /// Returns the length of a source such as `file:song.mid`, in seconds.
  static func seconds(_ source: String) throws -> Double {
    Double(try MIDIServer.steps(source: source).nanoseconds) * 1e-9
  }
}
