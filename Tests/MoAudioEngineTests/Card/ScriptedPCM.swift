import Glibc
import MoAudioEngine
import MoCore

/// One direction of a card that follows a script of the test, call by call, and records its calls.
///
/// Its descriptor is always ready, so a poll ends immediately; `events` has the result.
final class ScriptedPCM: PCMStream {
  let bufferFrames: Int
  let periodFrames = 16
  let channels: Int
  let sampleFormat = SampleFormat.s16
  /// One, always readable: an eventfd that stays raised.
  let descriptorCount = 1
  let name: String
  private let bell = WakeEvent()

  /// Every call that changes something, by name, over all streams of the test.
  final class CallLog { var lines: [String] = [] }
  let callLog: CallLog

  /// The results of `events`, call by call; then POLLIN or POLLOUT.
  var events: [Int32] = []
  /// The results of `status`, call by call; after them, a block can be exchanged.
  var statuses: [PCMStatus] = []
  /// The results of `available`, call by call.
  var availables: [Int] = []
  /// The results of reads and writes, call by call; then the requested number.
  var results: [Int] = []
  var prepareResults: [Int32] = []
  var resumeResults: [Int32] = []
  var usual: PCMStatus
  /// Written samples, and samples to read.
  var written: [Int16] = []
  var toRead: [Int16] = []
  /// The limit of the queue, and the lengths that were requested.
  var deepestFrames = 0
  var canDeepen = true
  private(set) var depths: [Int] = []
  var rings = true { didSet { if rings { bell.raise() } else { bell.lower() } } }

  init(_ name: String, bufferFrames: Int = 64, channels: Int = 1, callLog: CallLog = CallLog()) {
    self.name = name
    self.bufferFrames = bufferFrames
    self.channels = channels
    self.callLog = callLog
    usual = PCMStatus(available: bufferFrames)
    bell.raise()
  }

  func addDescriptors(to requests: UnsafeMutablePointer<pollfd>) {
    requests[0] = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
  }

  func events(in requests: UnsafeMutablePointer<pollfd>) -> Int32 {
    guard requests[0].revents != 0 else { return 0 }
    return events.isEmpty ? POLLIN | POLLOUT : events.removeFirst()
  }

  func status() -> PCMStatus { statuses.isEmpty ? usual : statuses.removeFirst() }
  func available() -> Int { availables.isEmpty ? bufferFrames : availables.removeFirst() }

  func write(_ frames: UnsafeRawPointer, count: Int) -> Int {
    let result = results.isEmpty ? count : min(count, results.removeFirst())
    guard result > 0 else { return result }
    let samples = frames.assumingMemoryBound(to: Int16.self)
    written += (0..<(result * channels)).map { samples[$0] }
    return result
  }

  func read(_ frames: UnsafeMutableRawPointer, count: Int) -> Int {
    let result = results.isEmpty ? count : min(count, results.removeFirst())
    guard result > 0 else { return result }
    let samples = frames.assumingMemoryBound(to: Int16.self)
    for index in 0..<(result * channels) { samples[index] = toRead.isEmpty ? 0 : toRead.removeFirst() }
    return result
  }

  func deepen(to frames: Int) -> Bool {
    depths.append(frames)
    return canDeepen
  }

  func prepare() -> Int32 {
    callLog.lines.append("prepare \(name)")
    return prepareResults.isEmpty ? 0 : prepareResults.removeFirst()
  }

  func begin() -> Int32 {
    callLog.lines.append("start \(name)")
    return 0
  }

  func drop() -> Int32 {
    callLog.lines.append("drop \(name)")
    return 0
  }

  func resume() -> Int32 {
    callLog.lines.append("resume \(name)")
    return resumeResults.isEmpty ? 0 : resumeResults.removeFirst()
  }

  func close() { callLog.lines.append("close \(name)") }
}
