import Glibc
import MoCore

/// The playback stream or the capture stream of a card, with ALSA's functions, as a protocol that tests can implement.
///
/// The results are those of ALSA: a number of frames, or 0, for success, and a negative errno for failure. No function
/// waits.
///
/// - Thread: any, but only one at a time.
/// - Real-time safe: the functions are system calls for the card, and allocate nothing.
package protocol PCMStream: AnyObject {
  /// The size of the card's buffer, in frames.
  var bufferFrames: Int { get }
  /// The card's period: the number of frames after which the card wakes the thread again.
  var periodFrames: Int { get }
  /// The number of channels of the card's frames.
  var channels: Int { get }
  /// The layout of a sample on the card.
  var sampleFormat: SampleFormat { get }
  /// The number of file descriptors that `addDescriptors` writes.
  var descriptorCount: Int { get }

  /// Writes the card's file descriptors, and the events to wait for, to `requests`.
  func addDescriptors(to requests: UnsafeMutablePointer<pollfd>)
  /// Returns the events that a poll has reported in `requests`.
  ///
  /// They are POLLIN or POLLOUT when a block can be exchanged, and POLLERR for a fault.
  func events(in requests: UnsafeMutablePointer<pollfd>) -> Int32
  /// Returns the state of the stream, in one system call.
  func status() -> PCMStatus
  /// Returns the number of frames that can be read or written immediately; a negative errno for a failure.
  func available() -> Int
  func write(_ frames: UnsafeRawPointer, count: Int) -> Int
  func read(_ frames: UnsafeMutableRawPointer, count: Int) -> Int
  /// The greatest length, in frames, to which the queue may grow after underruns; 0 if the length must not change.
  var deepestFrames: Int { get }
  /// Changes the length of the stopped stream's queue to `frames`; returns false if that length is not possible.
  func deepen(to frames: Int) -> Bool
  func prepare() -> Int32
  func begin() -> Int32
  func drop() -> Int32
  func resume() -> Int32
  func close()
}

/// The state of a stream.
package struct PCMStatus {
  /// Whether a stream works, or the reason why it stopped.
  package enum State {
    /// The stream works: it is set up, prepared, running or draining.
    case sound
    /// The stream was stopped by an underrun or overrun.
    case xrun
    /// The stream was suspended together with the machine.
    case suspended
    /// The card was unplugged.
    case disconnected
  }

  package var state = State.sound
  /// 0 if the query succeeded; otherwise a negative errno.
  package var error: Int32 = 0
  /// The number of frames that can be read or written immediately.
  package var available = 0
  /// The number of frames between the next frame to write and the ear, or between the microphone and the next frame to
  /// read.
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
