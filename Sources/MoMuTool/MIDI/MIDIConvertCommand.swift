import ArgumentParser
import Glibc
import MIDICore
import MoMIDI
import MoMu
import MoOSC
import MoOrchestra

/// `momu midi convert`: converts a tape to a MIDI file, or back.
struct MIDIConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Convert a tape (.osc) into a MIDI file (.mid), or back.",
    discussion: """
      Of a session's tape, the rhythm becomes the tempo map and the meter, and each player a track. Of a tape that was \
      recorded with --midi and --record-tape, each port becomes a track. A MIDI file becomes a tape for \
      --midi tape:FILE, or with --session one for momu session replay. A file that exists is replaced.
      """)

  @Flag(help: "Make a session's tape of a MIDI file.")
  var session = false

  @Argument(help: ArgumentHelp("What to read: a tape or a MIDI file.", valueName: "FROM"))
  var from: String

  @Argument(help: ArgumentHelp("What to make: a MIDI file or a tape.", valueName: "TO"))
  var to: String

  func validate() throws {
    guard Self.isMIDI(from) != Self.isMIDI(to) else {
      throw ValidationError(
        "one is a tape and the other a MIDI file: momu midi convert evening.osc evening.mid")
    }
    guard !session || Self.isMIDI(from) else {
      throw ValidationError(
        "--session makes a tape of a MIDI file: momu midi convert --session evening.mid evening.osc")
    }
  }

  private static func isMIDI(_ path: String) -> Bool {
    [".mid", ".midi", ".rmi"].contains { path.lowercased().hasSuffix($0) }
  }

  func run() throws {
    if session { return try writeSession() }
    if let song = try readSession() { return try write(song) }
    let steps = try MIDIServer.steps(source: (Self.isMIDI(from) ? "file:" : "tape:") + from)
    if Self.isMIDI(to) {
      try writeFile(MIDIConversion.file(steps.steps, nanoseconds: steps.nanoseconds))
    } else {
      try writeTape(steps.steps)
    }
    printDiagnostic("\(counted(steps.steps.count, "message")) converted to \(to)")
  }

  /// Returns the recorded session on the tape `from`; nil if `from` is a MIDI file, or a tape without a session.
  private func readSession() throws -> SessionSong? {
    guard !Self.isMIDI(from) else { return nil }
    let tape: SessionTapeReader
    do throws(SessionTapeError) { tape = try SessionTapeReader(path: from) } catch {
      // Settings such as ?speed=2 belong to tapes of MIDI messages.
      if case .noSession = error { return nil }
      if case .tape = error, from.contains("?") { return nil }
      throw error
    }
    var entries: [SessionTapeEntry] = []
    do throws(SessionTapeError) {
      while entries.count < Self.most, let entry = try tape.next() { entries.append(entry) }
    } catch {
      printDiagnostic("\(error)")
    }
    if let warning = tape.warning { printDiagnostic(warning) }
    if entries.count == Self.most { printDiagnostic("\(from) is too long: only its first part is converted") }
    return SessionSong(entries)
  }

  /// The maximum number of entries that are converted from a session's tape; the entries after these are ignored.
  private static let most = 2_000_000

  private func write(_ song: SessionSong) throws {
    try writeFile(song.file)
    printSummary(song.notes, song.leftOut)
  }

  private func writeSession() throws {
    let name = from.split(separator: "/").last.map(String.init) ?? from
    let tape = SongTape(try MIDIFileScore.read(from), name: name)
    do throws(OSCTapeError) {
      let writer = try OSCTapeWriter(path: to, startNanosecondsSince1970: 0, madeBy: "MoMu, \(from)")
      for entry in tape.entries {
        try writer.write(entry.message(from: .zero), atNanoseconds: entry.time.nanoseconds)
      }
      try writer.close()
    } catch {
      throw ToolError.explaining(error)
    }
    printSummary(tape.notes, tape.leftOut)
  }

  private func printSummary(_ notes: Int, _ leftOut: [String]) {
    let rest = leftOut.isEmpty ? "" : "; left out: \(leftOut.joined(separator: ", "))"
    printDiagnostic("\(counted(notes, "note")) converted to \(to)\(rest)")
  }

  private func writeFile(_ file: MIDIFile) throws {
    if let reason = WholeFile.replace(to, with: try file.bytes()) {
      throw ToolError.cannotWrite(path: to, reason: reason)
    }
  }

  private func writeTape(_ steps: [MIDIScore.Step]) throws {
    do throws(OSCTapeError) {
      let tape = try OSCTapeWriter(path: to, startNanosecondsSince1970: 0, madeBy: "MoMu, \(from)")
      for step in steps { try tape.write(step.message.message, atNanoseconds: step.nanoseconds) }
      try tape.close()
    } catch {
      throw ToolError.explaining(error)
    }
  }
}

/// Converts messages with times to a MIDI file.
enum MIDIConversion {
  /// The number of ticks in a second: 960 ticks in a quarter note, at 120 quarter notes a minute.
  private static let ticksPerSecond = 1920.0

  /// Returns a MIDI file of format 1: a track with the tempo, and a track for each port.
  ///
  /// - Parameters:
  ///   - steps: the messages with their times and ports.
  ///   - nanoseconds: the length of all tracks.
  static func file(_ steps: [MIDIScore.Step], nanoseconds: Int64) -> MIDIFile {
    let tempo = MIDIFileEvent(0, .meta(0x51, [0x07, 0xA1, 0x20]))
    let end = tick(nanoseconds)
    var ports: [String] = []
    var tracks: [String: [MIDIFileEvent]] = [:]
    for step in steps {
      let (port, content): (String, MIDIFileEvent.Content) =
        switch step.message {
        case .message(let message, let port): (port, .message(message))
        case .sysEx(let bytes, let port): (port, .sysEx(Array(bytes.dropFirst())))
        }
      if tracks[port] == nil {
        ports.append(port)
        tracks[port] = [MIDIFileEvent(0, .meta(0x03, Array(port.utf8)))]
      }
      tracks[port]?.append(MIDIFileEvent(tick(step.nanoseconds), content))
    }
    return MIDIFile(
      format: .together, division: .ticksPerQuarter(960),
      tracks: [MIDITrack([tempo], end: end)] + ports.map { MIDITrack(tracks[$0] ?? [], end: end) })
  }

  private static func tick(_ nanoseconds: Int64) -> Int {
    Int((Double(nanoseconds) * 1e-9 * ticksPerSecond).rounded())
  }
}
