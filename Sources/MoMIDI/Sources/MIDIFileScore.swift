import Glibc
import MIDICore

/// Reads a MIDI file as messages with times.
package enum MIDIFileScore {
  /// The largest size of a file, in bytes: 64 MiB.
  private static let longest = 64 * 1_048_576

  /// Reads and parses a Standard MIDI File.
  ///
  /// - Throws: `MIDIError.file` if the file cannot be read, is larger than 64 MiB, or is not a MIDI file.
  package static func read(_ path: String) throws(MIDIError) -> MIDIFile {
    let bytes = try bytes(of: path)
    do {
      return try MIDIFile(bytes: bytes)
    } catch {
      throw .file("cannot play \(path): \(error)")
    }
  }

  private static func bytes(of path: String) throws(MIDIError) -> [UInt8] {
    guard let file = fopen(path, "rbe") else {
      throw .file("cannot read the MIDI file \(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { break }
      bytes += piece[..<count]
      guard bytes.count <= longest else { throw .file("cannot play \(path): it is larger than 64 MiB") }
    }
    guard ferror(file) == 0 else {
      throw .file("cannot read the MIDI file \(path): \(String(cString: strerror(errno)))")
    }
    return bytes
  }

  /// Returns the messages of a file, in the order of their times, and the length of the file.
  ///
  /// - Parameter track: the only track to read, counted from 1; nil for all tracks, or for the first track of a file of
  ///   separate songs.
  /// - Throws: `MIDIError.file` if the file does not have the track.
  static func steps(
    of file: MIDIFile, track: Int?, path: String
  ) throws(MIDIError) -> (steps: [MIDIScore.Step], nanoseconds: Int64) {
    var steps: [MIDIScore.Step] = []
    var end = 0.0
    for index in try chosen(track, in: file, path: path) {
      let map = file.tempoMap(ofTrack: index)
      let port = file.tracks[index].name ?? "track \(index + 1)"
      var dump: [UInt8] = []
      for event in file.tracks[index].events {
        guard let message = message(event.content, &dump, port) else { continue }
        steps.append(MIDIScore.Step(nanoseconds: nanoseconds(map.seconds(at: event.tick)), message: message))
      }
      end = max(end, map.seconds(at: file.tracks[index].end))
    }
    // A stable order: of equal times, the earlier track comes first.
    let ordered = steps.enumerated().sorted {
      ($0.element.nanoseconds, $0.offset) < ($1.element.nanoseconds, $1.offset)
    }
    return (ordered.map(\.element), nanoseconds(end))
  }

  /// Returns the messages of a file with their positions, and the file's length, in quarter notes.
  ///
  /// - Parameter track: the only track to read, counted from 1; nil for all tracks, or for the first track of a file of
  ///   separate songs.
  /// - Returns: nil for a file in time code, which has no beats.
  /// - Throws: `MIDIError.file` if the file does not have the track.
  static func beatSteps(
    of file: MIDIFile, track: Int?, path: String
  ) throws(MIDIError) -> (steps: [MIDIBeatScore.Step], length: Double)? {
    guard case .ticksPerQuarter(let ticks) = file.division else { return nil }
    var steps: [MIDIBeatScore.Step] = []
    var end = 0
    for index in try chosen(track, in: file, path: path) {
      let port = file.tracks[index].name ?? "track \(index + 1)"
      var dump: [UInt8] = []
      for event in file.tracks[index].events {
        guard let message = message(event.content, &dump, port) else { continue }
        steps.append(MIDIBeatScore.Step(quarters: Double(event.tick) / Double(ticks), message: message))
      }
      end = max(end, file.tracks[index].end)
    }
    let ordered = steps.enumerated().sorted {
      ($0.element.quarters, $0.offset) < ($1.element.quarters, $1.offset)
    }
    return (ordered.map(\.element), Double(end) / Double(ticks))
  }

  /// Returns the indices, from 0, of the tracks to play.
  ///
  /// - Parameter track: the only track, counted from 1; nil for all tracks, or for the first track of a file of
  ///   separate songs.
  /// - Throws: `MIDIError.file` if the file does not have the track.
  private static func chosen(_ track: Int?, in file: MIDIFile, path: String) throws(MIDIError) -> [Int] {
    if let track, track > file.tracks.count {
      throw .file("\(path) has \(file.tracks.count) tracks, and no track \(track)")
    }
    let chosen = track.map { [$0 - 1] } ?? (file.format == .separate ? [0] : Array(file.tracks.indices))
    return chosen.filter(file.tracks.indices.contains)
  }

  private static func nanoseconds(_ seconds: Double) -> Int64 { Int64(min((seconds * 1e9).rounded(), 4e18)) }

  /// Returns the message that an event of the file completes; nil if it completes none.
  ///
  /// A SysEx message may consist of several events; `dump` collects its bytes until the last event.
  private static func message(
    _ content: MIDIFileEvent.Content, _ dump: inout [UInt8], _ port: String
  ) -> MIDITapeMessage? {
    switch content {
    case .message(let message): return .message(message, port: port)
    case .sysEx(let bytes): dump = [0xF0] + bytes
    case .escape(let bytes) where !dump.isEmpty: dump += bytes
    case .escape(let bytes):
      guard let status = bytes.first,
        let message = MIDIMessage(
          status: status, bytes.count > 1 ? bytes[1] : 0, bytes.count > 2 ? bytes[2] : 0)
      else { return nil }
      return .message(message, port: port)
    case .meta: return nil
    }
    guard dump.last == 0xF7 else { return nil }
    defer { dump = [] }
    return MIDITapeMessage.isSysEx(dump) ? .sysEx(dump, port: port) : nil
  }
}
