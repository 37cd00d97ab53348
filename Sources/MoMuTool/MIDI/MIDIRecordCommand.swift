import ArgumentParser
import MoCore
import MoMIDI
import MoMu

/// `momu midi record`: records the received messages in a MIDI file or on a tape.
struct MIDIRecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record what arrives into a MIDI file (.mid) or a tape (.osc).",
    discussion:
      "An earlier file TAKE.mid is renamed to TAKE-1.mid. Ctrl-C ends it; notes that are held then are released in the file."
  )

  @Argument(help: ArgumentHelp("The file to make: TAKE.mid or TAKE.osc.", valueName: "FILE"))
  var file: String

  @Argument(help: ArgumentHelp("A port's name, sim:scale, or all.", valueName: "SOURCE"))
  var source = "all"

  @Option(help: ArgumentHelp("Stop after this time.", valueName: "SECONDS"), transform: readSeconds)
  var seconds: Double?

  func run() throws {
    let stop = StopWait()
    let isTape = !file.lowercased().hasSuffix(".mid") && !file.lowercased().hasSuffix(".midi")
    let run = try MIDICommand.begin(
      ["--midi=\(source)"] + (isTape ? ["--record-tape=\(file)"] : ["--midi-out=file:\(file)"]))
    let heard = Locked(0)
    try MoMIDI.addCallback { event in
      heard.withLock { $0 += 1 }
      if !isTape { try? MIDIServer.shared.send(.message(event.message), at: event.time, in: run) }
    }
    try MoMIDI.onSysEx { message in
      heard.withLock { $0 += 1 }
      if !isTape { try? MIDIServer.shared.sendSysEx(message.bytes, at: message.time, in: run) }
    }
    // After the source has opened: otherwise its error would have emptied an earlier take.
    if !isTape { try MIDIServer.shared.startOutput(in: run) }
    _ = stop.wait(until: seconds.map { run.clock.now.advanced(bySeconds: $0) } ?? .distantFuture)
    MoMIDI.stop()
    complain("\(counted(heard.withLock { $0 }, "message")) recorded to \(file)")
  }
}

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
    let words = ["--midi=\(source)"] + (to.target.map { ["--midi-out=\($0)"] } ?? [])
    let run = try MIDICommand.begin(words)
    let server = MIDIServer.shared
    // First: an error of the source must not empty the target's file.
    let seconds = try MIDIFiles.seconds(source)
    try server.startOutput(in: run)
    try MoMIDI.onSysEx { try? server.sendSysEx($0.bytes, at: $0.time, in: run) }
    try MoMIDI.addCallback { try? server.send(.message($0.message), at: $0.time, in: run) }
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
