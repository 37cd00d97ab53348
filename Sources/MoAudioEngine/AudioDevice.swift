import MoCore

/// A device that accepts and supplies blocks of sound at its own pace: a card, or a substitute.
///
/// Samples are passed as interleaved floats in the program's channels; the device converts them from and to the card's
/// format. The engine runs a cycle per block: `wait`, `read` if there is input, the callback, `write`.
///
/// - Thread: created and closed on an ordinary thread; the cycle runs on the audio thread.
/// - Real-time safe: the cycle allocates nothing and takes no lock; its system calls are those of the card's driver.
package protocol AudioDevice: AnyObject {
  /// The name in options and messages, such as `hw:1`.
  var name: String { get }

  /// The format at which the device runs; it never changes.
  var format: AudioFormat { get }

  /// Frames from the callback's output to the ear, as reported by the running device.
  var outputLatencyFrames: Int { get }

  /// The time at which the first frame of the last `read` reached the microphone, as reported by the device.
  ///
  /// It is nil if the device has no microphone or does not report the time.
  var inputTime: HostTime? { get }

  /// The number of output frames that the device keeps queued for the hardware; 0 if the device has no queue of its
  /// own.
  var queuedFrames: Int { get }

  /// The number of times that an underrun made the queue longer, since the device was opened.
  var queueGrowths: Int { get }

  /// A report of how the input keeps up with playback; nil without input, or if input and playback have the same clock.
  var inputClock: InputClockReport? { get }

  /// The kind of the device's own thread, on which the program's callback runs; `none` if the callback runs on the
  /// engine's thread.
  var ownThread: DeviceThread { get }

  /// Starts the hardware; the next `wait` is for the first block.
  func start() throws

  /// Starts the hardware of a device that may request blocks on its own thread.
  ///
  /// A device with its own thread calls `turn` on that thread, from the first call of `wait` until `stop` returns.
  /// Before that call, the engine's thread may still use the state of the cycles. The argument of `turn` is the state
  /// that `wait` returns in devices without their own thread. If the device calls `turn`, `wait` returns only
  /// `.waiting` or `.lost`.
  func start(turn: @escaping (AudioDeviceState) -> Void) throws

  /// Waits until a block can be exchanged or another event occurs.
  ///
  /// - Returns: the state of the device, `.ready` most of the time. The function never blocks longer than about a
  ///   second.
  func wait() -> AudioDeviceState

  /// Fills `block` with the next input frames, converted to the program's channels and to floats.
  ///
  /// - Returns: false if the read failed; the next `wait` gives the reason.
  func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool

  /// Accepts `block` as the next output frames; its samples are already finite and clipped to ±1.
  ///
  /// A device without output accepts the empty block, unless the `read` of this cycle failed.
  ///
  /// - Returns: false if the write failed; the device then does not count the block in its positions, and the next
  ///   `wait` gives the reason.
  func write(_ block: UnsafeBufferPointer<Float>) -> Bool

  /// Stops the hardware; it can be started again.
  func stop()

  /// Stops and releases the hardware for good.
  func close()
}

extension AudioDevice {
  /// Nil: by default, a device does not report the time of its input.
  package var inputTime: HostTime? { nil }
  package var inputClock: InputClockReport? { nil }
  package var ownThread: DeviceThread { .none }
  package var queuedFrames: Int { 0 }
  package var queueGrowths: Int { 0 }

  /// Starts a device that has no thread of its own; `turn` is never called, since the engine's thread calls `wait`.
  package func start(turn: @escaping (AudioDeviceState) -> Void) throws { try start() }
}

/// The kind of a device's own thread, on which the program's callback runs; a JACK client has such a thread.
package enum DeviceThread: Int, Sendable {
  /// The device has no thread of its own: the callback runs on the engine's thread.
  case none
  /// The device's own thread has real-time priority.
  case realTime
  /// The device's own thread has no real-time priority.
  case ordinary
}

/// The result of `AudioDevice.wait`.
package enum AudioDeviceState {
  /// A block can be read and written.
  ///
  /// `position` is the index of a frame, counted over all frames written since `start`, and the host time at which this
  /// frame was heard. The position is nil if the device cannot report this time.
  case ready(position: CardPosition?)

  /// There is nothing to do yet; call `wait` again.
  case waiting

  /// The device underran, overran or woke from suspend, and was restarted; `lostFrames` frames were lost.
  case recovered(lostFrames: Int)

  /// The device is lost: unplugged, or broken beyond recovery. Only `close` works from now on.
  case lost
}

/// An observation of the card's clock: a frame, and the time at which this frame was heard.
///
/// For a card that only records, the frame was at the microphone at this time.
package struct CardPosition: Equatable {
  /// The index of the frame: 0 for the first frame that the program wrote since `start`, negative for a frame of the
  /// silence before the program's first frame.
  package var frame: Int64
  /// The time at which the frame `frame` was heard.
  package var time: HostTime

  package init(frame: Int64, time: HostTime) {
    self.frame = frame
    self.time = time
  }
}

/// The sample rate, the block length and the numbers of channels of a device.
///
/// The format at which a device runs may differ from the requested format.
package struct AudioFormat: Equatable, Sendable {
  /// Frames per second.
  package var sampleRate: Double
  /// Frames per block, 1 … 8192.
  package var blockFrames: Int
  /// Input channels, 0 … 64.
  package var inputs: Int
  /// Output channels, 0 … 64.
  package var outputs: Int

  package init(sampleRate: Double, blockFrames: Int, inputs: Int, outputs: Int) {
    self.sampleRate = sampleRate
    self.blockFrames = blockFrames
    self.inputs = inputs
    self.outputs = outputs
  }
}

/// A report of how input with its own clock keeps up with playback.
package struct InputClockReport: Equatable {
  /// The deviation of the input clock's rate from playback's, in parts per million; negative for a slower input.
  package var driftPPM = 0.0
  /// The number of resynchronisations: the read position in the input jumped, or the rate of a clock was learned anew.
  package var resyncs = 0
  /// The number of playback frames that were filled with earlier input or silence.
  package var repeatedFrames = 0
  /// The number of input frames that were skipped.
  package var droppedFrames = 0
  /// Whether the input is silent, because it failed again after each restart.
  package var isFailing = false

  package init(driftPPM: Double = 0, resyncs: Int = 0, repeatedFrames: Int = 0, droppedFrames: Int = 0) {
    (self.driftPPM, self.resyncs) = (driftPPM, resyncs)
    (self.repeatedFrames, self.droppedFrames) = (repeatedFrames, droppedFrames)
  }
}
