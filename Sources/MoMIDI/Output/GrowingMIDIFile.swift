import Glibc
import MIDICore
import MoRuntime

/// A MIDI file that can be read at any time while it grows, and also after its program was killed.
///
/// Each call of `append` writes a piece: a new track in a file of format 1. The number of tracks in the header grows
/// only after the new track is complete. So a reader never meets half an event.
///
/// - Thread: one owner.
final class GrowingMIDIFile {
  static let division = MIDIDivision.ticksPerQuarter(960)
  /// The number of pieces after which all are rewritten as one track; a file has at most 65,535 tracks.
  static let mostPieces = 4096
  /// The position of the number of tracks in the file's header, in bytes from the beginning of the file.
  private static let countPlace: off_t = 10

  private var file: Int32
  private let path: String
  private var pieces = 0
  private var length = 0

  /// - Parameter file: a descriptor of the file, which this object closes; the first piece replaces the file at `path`.
  init(_ file: Int32, path: String) { (self.file, self.path) = (file, path) }

  deinit { Glibc.close(file) }

  /// Adds events to the file, as a new track.
  ///
  /// - Parameter before: all events that the file has already; they are needed when all tracks are rewritten as one.
  /// - Returns: nil, or the reason why the events could not be written.
  func append(
    _ events: ArraySlice<MIDIFileEvent>, after before: ArraySlice<MIDIFileEvent>
  ) -> String? {
    do {
      guard pieces > 0, pieces < Self.mostPieces else { return try begin(Array(before + events)) }
      let track = try bytes(of: Array(events)).dropFirst(14)
      guard put(Array(track), at: length) else { return String(cString: strerror(errno)) }
      pieces += 1
      let count = [UInt8(pieces >> 8), UInt8(pieces & 0xFF)]
      guard put(count, at: Int(Self.countPlace)) else { return String(cString: strerror(errno)) }
      length += track.count
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Replaces the file with a new file, which has the events in a single track; returns nil, or the reason for a
  /// failure.
  private func begin(_ events: [MIDIFileEvent]) throws -> String? {
    let bytes = try bytes(of: events)
    if let flaw = WholeFile.replace(path, with: bytes) { return flaw }
    let new = open(path, O_WRONLY | O_CLOEXEC)
    guard new >= 0 else { return String(cString: strerror(errno)) }
    Glibc.close(file)
    (file, pieces, length) = (new, 1, bytes.count)
    return nil
  }

  private func bytes(of events: [MIDIFileEvent]) throws -> [UInt8] {
    try MIDIFile(format: .together, division: Self.division, tracks: [MIDITrack(events)]).bytes()
  }

  private func put(_ bytes: [UInt8], at place: Int) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(file, $0.baseAddress! + done, bytes.count - done, off_t(place + done))
      }
      guard count > 0 || count < 0 && errno == EINTR else { return false }
      done += max(0, count)
    }
    return true
  }
}
