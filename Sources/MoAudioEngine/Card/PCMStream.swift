import Glibc
import MoCore

/// One direction of a card as the cycle uses it: ALSA's own calls and results, so that a test can script them.
///
/// Results are ALSA's: frames or 0 for success, a negative errno for failure. No call waits.
///
/// - Thread: any, but one at a time.
/// - Real-time safe: the calls are the card's system calls and allocate nothing.
package protocol PCMStream: AnyObject {
  /// Frames that the card's buffer holds.
  var bufferFrames: Int { get }
  /// Frames from one wake of the card to the next.
  var periodFrames: Int { get }
  /// Channels of the card's frames.
  var channels: Int { get }
  /// The layout of a sample on the card.
  var sampleFormat: SampleFormat { get }
  /// The number of descriptors that `addDescriptors` writes.
  var descriptorCount: Int { get }

  /// Writes the descriptors to poll.
  func addDescriptors(to requests: UnsafeMutablePointer<pollfd>)
  /// Returns the polled events: POLLIN or POLLOUT when a block can be exchanged, POLLERR for a fault.
  func events(in requests: UnsafeMutablePointer<pollfd>) -> Int32
  /// Returns the state of the stream, in one system call.
  func status() -> PCMStatus
  /// Returns the frames that can be read or written immediately.
  func available() -> Int
  func write(_ frames: UnsafeRawPointer, count: Int) -> Int
  func read(_ frames: UnsafeMutableRawPointer, count: Int) -> Int
  /// The greatest length, in frames, to which the queue may grow after underruns; 0 if it must stay as opened.
  var deepestFrames: Int { get }
  /// Gives the stopped stream a queue of `frames`; returns false if nothing changed.
  func deepen(to frames: Int) -> Bool
  func prepare() -> Int32
  func begin() -> Int32
  func drop() -> Int32
  func resume() -> Int32
  func close()
}

/// The state of a stream.
package struct PCMStatus {
  /// The activity of a stream.
  package enum State {
    /// Set up, prepared, running or draining.
    case sound
    /// Stopped by an underrun or overrun.
    case xrun
    /// Suspended together with the machine.
    case suspended
    /// Unplugged.
    case disconnected
  }

  package var state = State.sound
  /// 0, or the negative errno of the query.
  package var error: Int32 = 0
  /// Frames that can be read or written immediately.
  package var available = 0
  /// Frames between the next exchanged frame and the ear or the microphone.
  package var delay = 0
  /// The time of this state; nil if the card gives no timestamps.
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
