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

  @Option(help: .shared("seconds"), transform: readSeconds)
  var seconds: Double?

  func run() throws {
    let stop = StopWait()
    let isTape = !file.lowercased().hasSuffix(".mid") && !file.lowercased().hasSuffix(".midi")
    let run = try MIDICommand.begin(
      ["--midi=\(source)"] + (isTape ? ["--record-tape=\(file)"] : ["--midi-out=file:\(file)"]))
    let (received, isWhole) = (Locked(0), Locked(true))
    _ = MIDIServer.shared.events.add { event in
      if Self.losesMessages(event) { isWhole.withLock { $0 = false } }
    }
    // Before the start: otherwise a file's first messages could be played before the callback exists.
    _ = MIDIServer.shared.onEvent { event in
      received.withLock { $0 += 1 }
      if !isTape { try? MIDIServer.shared.send(.message(event.message), at: event.time, in: run) }
    }
    _ = MIDIServer.shared.onSysEx { message in
      received.withLock { $0 += 1 }
      if !isTape { try? MIDIServer.shared.sendSysEx(message.bytes, at: message.time, in: run) }
    }
    try MoMIDI.start()
    // After the source has opened: otherwise its error would have emptied an earlier take.
    if !isTape { try MIDIServer.shared.startOutput(in: run) }
    _ = stop.wait(until: seconds.map { run.clock.now.advanced(bySeconds: $0) } ?? .distantFuture)
    let dropped = MIDIServer.shared.droppedSysEx
    MoMIDI.stop()
    let count = counted(received.withLock { $0 }, "message")
    let isComplete = isWhole.withLock { $0 } && dropped == 0
    // If the file is not complete, the server has printed the reason, or the next line says it.
    printDiagnostic(
      "\(count) " + (isComplete ? "recorded to \(file)" : "arrived, but \(file) is not complete"))
    MIDICommand.reportDroppedSysEx(dropped)
    if !isComplete { throw ExitCode(1) }
  }

  /// Whether messages are missing in the recording after an event.
  static func losesMessages(_ event: MIDIPortEvent) -> Bool {
    switch event {
    case .overrun, .outputEnded, .recordingEnded: true
    case .using, .lost, .sending, .lostOutput: false
    }
  }
}
