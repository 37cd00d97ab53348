import MoCore

/// A thing that takes and gives blocks of sound at its own pace: a card, or what stands in for one.
///
/// Samples cross as interleaved floats in the program's channels; the device converts. The engine runs one
/// cycle a block: `wait`, `read` where there is input, the callback, `write`.
///
/// - Thread: made and closed on an ordinary thread; the cycle runs on the audio thread.
/// - Real-time safe: the cycle allocates nothing and takes no lock; its system calls are the device's own.
package protocol AudioDevice: AnyObject {
  /// What the device is called in options and messages, such as `hw:1`.
  var name: String { get }

  /// What it really runs at; fixed for the device's life.
  var format: AudioFormat { get }

  /// Frames from the callback's output to the ear, by the device's own account, while it runs.
  var outputLatencyFrames: Int { get }

  /// When the first frame that `read` gave last had reached the microphone, by the device's own account; nil where it
  /// has none, or cannot tell.
  var inputTime: HostTime? { get }

  /// Frames that are kept queued towards the hardware; 0 where the device queues nothing of its own.
  var queuedFrames: Int { get }

  /// How often an underrun has made the queue longer since the device was opened.
  var queueGrowths: Int { get }

  /// How input keeps up that comes from another clock than playback's; nil where there is no such input.
  var inputClock: InputClockReport? { get }

  /// Whether a thread of the device's own, and of what kind, calls the program.
  var ownThread: DeviceThread { get }

  /// Gets the hardware going; the next `wait` is for the first block.
  func start() throws

  /// Gets the hardware going, where the device may have a thread of its own that asks for blocks.
  ///
  /// Such a device calls `turn` on its thread with what `wait` gives others, from now until `stop` returns. Its own
  /// `wait` then gives `.waiting` or `.lost` only.
  func start(turn: @escaping (AudioDeviceState) -> Void) throws

  /// Waits until a block can be exchanged, or something else must be dealt with.
  ///
  /// - Returns: `.ready` most of the time. Never blocks longer than about a second.
  func wait() -> AudioDeviceState

  /// Fills `block` with the next input frames, converted.
  ///
  /// - Returns: false where it could not; `wait` will say why.
  func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool

  /// Takes `block` as the next output frames: clipped at ±1, finite already.
  ///
  /// - Returns: false where it could not; `wait` will say why.
  func write(_ block: UnsafeBufferPointer<Float>) -> Bool

  /// Stops the hardware; it may be started again.
  func stop()

  /// Stops and lets go of the hardware for good.
  func close()
}

extension AudioDevice {
  /// A device has no microphone unless it says otherwise.
  package var inputTime: HostTime? { nil }
  package var inputClock: InputClockReport? { nil }
  package var ownThread: DeviceThread { .none }
  package var queuedFrames: Int { 0 }
  package var queueGrowths: Int { 0 }

  /// A device is asked by the engine's thread unless it says otherwise.
  package func start(turn: @escaping (AudioDeviceState) -> Void) throws { try start() }
}

/// The thread of a device's own that calls the program, as JACK's does.
package enum DeviceThread: Int, Sendable {
  /// It has none.
  case none
  /// It runs before others.
  case realTime
  /// It runs like any other.
  case ordinary
}

/// What `AudioDevice.wait` found.
package enum AudioDeviceState {
  /// A block can be read and written.
  ///
  /// `position` says where the sound is: the frame of all those written since `start`, and the host time at
  /// which it reached the ear; nil where the device cannot tell this time.
  case ready(position: CardPosition?)

  /// Nothing to do yet; ask again.
  case waiting

  /// The device ran dry or over, or woke from suspend, and has been set going again with so many frames lost.
  case recovered(lostFrames: Int)

  /// The device is gone: unplugged, or broken beyond recovery. Nothing but `close` works from now on.
  case lost
}

/// One observation of the card's clock.
package struct CardPosition: Equatable {
  /// Index of a frame, counted from the first one written since `start`.
  package var frame: Int64
  /// When that frame reached the ear.
  package var time: HostTime

  package init(frame: Int64, time: HostTime) {
    self.frame = frame
    self.time = time
  }
}
