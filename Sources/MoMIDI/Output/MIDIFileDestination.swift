import Glibc
import MIDICore
import MoCore
import MoRuntime

/// Records what is sent into a Standard MIDI File: `--midi-out file:take.mid`.
///
/// The file is written when it is closed: format 0, 960 ticks a quarter note, 120 quarter notes a minute; so a tick is
/// 0.52 ms.
final class MIDIFileDestination: MIDIDestination {
  let name: String
  let bytesPerSecond: Double? = nil
  private let path: String
  private let start: HostTime
  private let end: (String) -> Void
  private var events: [MIDIFileEvent] = []
  private var bytes = 0
  private var isInSysEx = false
  private var isFull = false

  private static let ticksPerSecond = 1920.0
  /// The most bytes of messages in a file.
  static let longest = 32 * 1_048_576

  /// - Parameters:
  ///   - start: the time of the file's tick 0.
  ///   - end: receives a text for the user if recording ends early.
  /// - Throws: `MIDIError.file` if the file cannot be created.
  init(path: String, start: HostTime, end: @escaping (String) -> Void) throws(MIDIError) {
    (self.path, self.start, self.end) = (path, start, end)
    name = "file:\(path)"
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .file("cannot write \(path): \(String(cString: strerror(errno)))") }
    Glibc.close(file)
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
    let seconds = max(0, time.seconds(since: start))
    let tick = Int((seconds * Self.ticksPerSecond).rounded())
    events.append(MIDIFileEvent(max(tick, events.last?.tick ?? 0), content))
  }

  func close(at time: HostTime) {
    let last = Int((max(0, time.seconds(since: start)) * Self.ticksPerSecond).rounded())
    let file = MIDIFile(
      format: .single, division: .ticksPerQuarter(960), tracks: [MIDITrack(events, end: last)])
    do {
      if let reason = WholeFile.replace(path, with: try file.bytes()) {
        end("cannot write \(path): \(reason)")
      }
    } catch {
      end("\(error)")
    }
  }
}
