import Glibc
import MoCore

/// One direction of a card as the cycle uses it: ALSA's own calls and results, so that a test can script them.
///
/// Results are ALSA's: frames or 0 where it went well, a negative errno where not. Nothing here waits.
///
/// - Thread: one at a time.
/// - Real-time safe: the calls are the card's system calls and allocate nothing.
package protocol PCMStream: AnyObject {
  /// Frames the card's buffer holds.
  var bufferFrames: Int { get }
  /// Frames from one wake of the card to the next.
  var periodFrames: Int { get }
  /// Channels of the card's frames.
  var channels: Int { get }
  /// How the card lays out one sample.
  var sampleFormat: SampleFormat { get }
  /// How many descriptors `addDescriptors` gives.
  var descriptorCount: Int { get }

  /// Says what to poll for.
  func addDescriptors(to requests: UnsafeMutablePointer<pollfd>)
  /// What the polled descriptors mean: POLLIN or POLLOUT when a block can be exchanged, POLLERR for trouble.
  func events(in requests: UnsafeMutablePointer<pollfd>) -> Int32
  /// How the stream stands, in one system call.
  func status() -> PCMStatus
  /// Frames that can be read or written at once.
  func available() -> Int
  func write(_ frames: UnsafeRawPointer, count: Int) -> Int
  func read(_ frames: UnsafeMutableRawPointer, count: Int) -> Int
  /// The most frames that the queue towards it may grow to, where underruns show that it is too short; 0 where it must
  /// stay as it was opened.
  var deepestFrames: Int { get }
  /// Gives the stopped stream a queue of `frames`; false if it goes on as it was.
  func deepen(to frames: Int) -> Bool
  func prepare() -> Int32
  func begin() -> Int32
  func drop() -> Int32
  func resume() -> Int32
  func close()
}

/// How a stream stands.
package struct PCMStatus {
  /// What it is doing.
  package enum State {
    /// Set up, prepared, running or draining.
    case sound
    /// Ran dry or over, and stopped.
    case xrun
    /// The machine slept and took the card along.
    case suspended
    /// Unplugged.
    case disconnected
  }

  package var state = State.sound
  /// 0, or the negative errno that asking gave.
  package var error: Int32 = 0
  /// Frames that can be read or written at once.
  package var available = 0
  /// Frames between what is exchanged next and the ear or the microphone.
  package var delay = 0
  /// When this was so; nil where the card does not stamp.
  package var time: HostTime?

  package init(
    state: State = .sound, error: Int32 = 0, available: Int = 0, delay: Int = 0, time: HostTime? = nil
  ) {
    self.state = state
    self.error = error
    self.available = available
    self.delay = delay
    self.time = time
  }
}
