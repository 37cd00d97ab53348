import Glibc
import MIDICore
import MoCore
import MoRuntime

/// A Standard MIDI File that records the sent messages: `--midi-out file:take.mid`.
///
/// The closed file has format 0, with 960 ticks a quarter note and 120 quarter notes a minute, so a tick is 0.52 ms.
/// During the recording, the file grows once a second, and can be read at any time: see `GrowingMIDIFile`.
package final class MIDIFileDestination: MIDIDestination {
  package let name: String
  package let bytesPerSecond: Double? = nil
  private let path: String
  private let start: HostTime
  private let end: (String) -> Void
  private var growing: GrowingMIDIFile?
  /// Whether the path is a regular file; a pipe or a terminal cannot be rewritten, and is written only at the end.
  private let isRegular: Bool
  private var events: [MIDIFileEvent] = []
  /// The number of events that are already in the growing file.
  private var written = 0
  package private(set) var nextTime: HostTime?
  private var bytes = 0
  private var isInSysEx = false
  private var isFull = false

  private static let ticksPerSecond = 1920.0
  /// The maximum size of all messages in the file, in bytes: 32 MiB; 8 bytes are added to the length of each message.
  static let longest = 32 * 1_048_576
  /// The maximum time from a message until the growing file contains the message.
  private static let pause = Duration.seconds(1)

  /// - Parameters:
  ///   - start: the time of the file's tick 0.
  ///   - grows: whether the file grows while it records; otherwise it is written when it is closed.
  ///   - end: receives a text for the user if messages are missing in the file.
  /// - Throws: `MIDIError.file` if the file cannot be created.
  package init(
    path: String, start: HostTime, grows: Bool, end: @escaping (String) -> Void
  ) throws(MIDIError) {
    (self.path, self.start, self.end) = (path, start, end)
    name = "file:\(path)"
    if grows, let kept = WholeFile.keepEarlier(path) {
      MoLog.log(.notice, "\(path) existed: the earlier recording is now \(kept)".printable)
    }
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .file("cannot write \(path): \(String(cString: strerror(errno)))") }
    var status = stat()
    isRegular = fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    if grows, isRegular {
      growing = GrowingMIDIFile(file, path: path)
    } else {
      Glibc.close(file)
    }
  }

  package func send(_ message: MIDIMessage, at time: HostTime) -> Bool {
    record(.message(message), bytes: message.bytes.count, at: time)
    return true
  }

  package func sendSysEx(_ piece: UnsafeBufferPointer<UInt8>, at time: HostTime) -> Bool {
    guard let last = piece.last else { return true }
    // The file's own events carry the F0; F7 continues.
    record(
      isInSysEx ? .escape(Array(piece)) : .sysEx(Array(piece.dropFirst())), bytes: piece.count, at: time)
    isInSysEx = last != 0xF7
    return true
  }

  private func record(_ content: MIDIFileEvent.Content, bytes count: Int, at time: HostTime) {
    guard !isFull else { return }
    bytes += count + 8
    guard bytes <= Self.longest else {
      isFull = true
      return end("\(path) is full: \(Self.longest >> 20) MiB of messages; what is sent now is not recorded")
    }
    events.append(MIDIFileEvent(max(tick(time), events.last?.tick ?? 0), content))
    if growing != nil, nextTime == nil { nextTime = time + Self.pause }
  }

  private func tick(_ time: HostTime) -> Int {
    Int((max(0, time.seconds(since: start)) * Self.ticksPerSecond).rounded())
  }

  package func service(until now: HostTime) {
    guard let due = nextTime, due <= now else { return }
    nextTime = nil
    let reason = growing?.append(events[written...], after: events[..<written])
    written = events.count
    guard let reason else { return }
    // The whole file is tried again when it is closed.
    growing = nil
    MoLog.log(.warning, "cannot write \(path): \(reason); MoMu tries again at the end")
  }

  package func close(at time: HostTime) {
    growing = nil
    let file = MIDIFile(
      format: .single, division: GrowingMIDIFile.division, tracks: [MIDITrack(events, end: tick(time))])
    do {
      let bytes = try file.bytes()
      if let reason = isRegular ? WholeFile.replace(path, with: bytes) : pass(bytes) {
        end("cannot write \(path): \(reason)")
      }
    } catch {
      end("\(error)")
    }
  }
  /// Writes the file's bytes into a pipe or a device, which cannot be replaced; returns nil, or the reason for a
  /// failure.
  private func pass(_ bytes: [UInt8]) -> String? {
    guard let file = fopen(path, "we") else { return String(cString: strerror(errno)) }
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    return fclose(file) == 0 && isWritten ? nil : String(cString: strerror(errno))
  }
}

/// A MIDI file that can be read at any time while it grows, and also after its program was killed.
///
/// Each call of `append` writes a piece: a new track in a file of format 1. The number of tracks in the header grows
/// only after the new track is complete. So a reader never meets half an event.
///
/// - Thread: one owner.
package final class GrowingMIDIFile {
  static let division = MIDIDivision.ticksPerQuarter(960)
  /// The number of pieces after which all are rewritten as one track; a file has at most 65,535 tracks.
  package static let mostPieces = 4096
  /// The position of the number of tracks in the file's header, in bytes from the beginning of the file.
  private static let countPlace: off_t = 10

  private var file: Int32
  private let path: String
  private var pieces = 0
  private var length = 0

  /// - Parameter file: a descriptor of the file, which this object closes; the first piece replaces the file at `path`.
  package init(_ file: Int32, path: String) { (self.file, self.path) = (file, path) }

  deinit { Glibc.close(file) }

  /// Adds events to the file, as a new track.
  ///
  /// - Parameter before: all events that the file has already; they are needed when all tracks are rewritten as one.
  /// - Returns: nil, or the reason why the events could not be written.
  package func append(
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
    if let reason = WholeFile.replace(path, with: bytes) { return reason }
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
