import Glibc
import MIDICore
import MoCore
import MoRuntime

/// A Standard MIDI File that records the sent messages: `--midi-out file:take.mid`.
///
/// The closed file has format 0, with 960 ticks a quarter note and 120 quarter notes a minute, so a tick is 0.52 ms.
/// During the recording, the file grows once a second, and can be read at any time: see `GrowingMIDIFile`.
final class MIDIFileDestination: MIDIDestination {
  let name: String
  let bytesPerSecond: Double? = nil
  private let path: String
  private let start: HostTime
  private let end: (String) -> Void
  private var growing: GrowingMIDIFile?
  /// Whether the path is a regular file; a pipe or a terminal cannot be rewritten, and is written only at the end.
  private let isRegular: Bool
  private var events: [MIDIFileEvent] = []
  /// The number of events that are already in the growing file.
  private var written = 0
  private(set) var nextTime: HostTime?
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
  ///   - end: receives a text for the user if recording ends early.
  /// - Throws: `MIDIError.file` if the file cannot be created.
  init(
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

  func send(_ message: MIDIMessage, at time: HostTime) -> Bool {
    record(.message(message), bytes: message.bytes.count, at: time)
    return true
  }

  func sendSysEx(_ piece: UnsafeBufferPointer<UInt8>, at time: HostTime) -> Bool {
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

  func service(until now: HostTime) {
    guard let due = nextTime, due <= now else { return }
    nextTime = nil
    let flaw = growing?.append(events[written...], after: events[..<written])
    written = events.count
    guard let flaw else { return }
    // The whole file is tried again when it is closed.
    growing = nil
    end("cannot write \(path): \(flaw); it is tried again at the end")
  }

  func close(at time: HostTime) {
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
