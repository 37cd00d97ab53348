import MoTime

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

  /// Gets the hardware going; the next `wait` is for the first block.
  func start() throws

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
  var frame: Int64
  /// When that frame reached the ear.
  var time: HostTime
}
