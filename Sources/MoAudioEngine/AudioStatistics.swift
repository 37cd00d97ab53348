import Synchronization

/// Statistics of the sound, such as the number of xruns: the audio thread writes them, and any thread reads them.
///
/// - Real-time safe: yes.
package final class AudioStatistics: Sendable {
  package let blocks = Atomic<Int>(0)
  package let xruns = Atomic<Int>(0)
  package let lostFrames = Atomic<Int>(0)
  package let nonFinite = Atomic<Int>(0)
  package let clipped = Atomic<Int>(0)
  package let latencyFrames = Atomic<Int>(0)
  package let playThroughNanoseconds = Atomic<Int64>(0)
  /// Frames per block of the present device.
  package let blockFrames = Atomic<Int>(0)
  /// The number of frames kept queued for the present device; 0 if the device has no queue of its own.
  package let queuedFrames = Atomic<Int>(0)
  /// The number of times that an underrun made the queue of the present device longer.
  package let queueGrowths = Atomic<Int>(0)
  /// Whether input and playback have different clocks; if false, `inputClock` is nil.
  package let hasInputClock = Atomic<Bool>(false)
  /// The deviation of the input's clock from playback's clock, in parts per million, as the bits of a `Double`.
  private let inputDriftBits = Atomic<UInt64>(0)
  private let inputResyncs = Atomic<Int>(0)
  private let inputRepeatedFrames = Atomic<Int>(0)
  private let inputDroppedFrames = Atomic<Int>(0)
  private let inputIsFailing = Atomic<Bool>(false)
  private let ownThreadKind = Atomic<Int>(0)
  private let peakBits = Atomic<UInt32>(0)
  private let loadBits = Atomic<UInt64>(0)
  private let driftBits = Atomic<UInt64>(0)

  package init() {}

  /// The kind of the device's own thread, on which the program's callback runs; `none` if the callback runs on the
  /// engine's thread.
  package var ownThread: DeviceThread {
    get { DeviceThread(rawValue: ownThreadKind.load(ordering: .relaxed)) ?? .none }
    set { ownThreadKind.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// A report of how the input keeps up with playback; nil without input, or if input and playback have the same clock.
  ///
  /// The numbers include all devices since the start; `driftPPM` and `isFailing` are the latest values.
  package var inputClock: InputClockReport? {
    guard hasInputClock.load(ordering: .relaxed) else { return nil }
    var report = InputClockReport(
      driftPPM: Double(bitPattern: inputDriftBits.load(ordering: .relaxed)),
      resyncs: inputResyncs.load(ordering: .relaxed),
      repeatedFrames: inputRepeatedFrames.load(ordering: .relaxed),
      droppedFrames: inputDroppedFrames.load(ordering: .relaxed))
    report.isFailing = inputIsFailing.load(ordering: .relaxed)
    return report
  }

  /// Updates the report since the start with the newest report of a device; for the audio thread only.
  ///
  /// The counts grow by the difference between `report` and the earlier report `before` of the same device. The drift
  /// and `isFailing` are those of `report`.
  package func add(_ report: InputClockReport, since before: InputClockReport) {
    inputDriftBits.store(report.driftPPM.bitPattern, ordering: .relaxed)
    inputIsFailing.store(report.isFailing, ordering: .relaxed)
    inputResyncs.wrappingAdd(report.resyncs - before.resyncs, ordering: .relaxed)
    inputRepeatedFrames.wrappingAdd(report.repeatedFrames - before.repeatedFrames, ordering: .relaxed)
    inputDroppedFrames.wrappingAdd(report.droppedFrames - before.droppedFrames, ordering: .relaxed)
  }

  /// Returns the largest magnitude of an output sample since the last call, 1 for full scale, and resets this peak to
  /// 0.
  ///
  /// Only a single thread may call the function, since each call resets the peak.
  package func takePeak() -> Float { Float(bitPattern: peakBits.exchange(0, ordering: .relaxed)) }

  /// Raises the peak to `level` if the peak is lower; for the audio thread only.
  func raisePeak(to level: Float) {
    // Non-negative floats have the order of their bits.
    _ = peakBits.max(level.bitPattern, ordering: .relaxed)
  }

  /// The fraction of a block's duration spent in the callback, smoothed over about 20 blocks.
  package var load: Double { Double(bitPattern: loadBits.load(ordering: .relaxed)) }

  /// Includes the load of one more block in `load`; for the audio thread only.
  func add(load sample: Double) {
    loadBits.store((load + 0.05 * (sample - load)).bitPattern, ordering: .relaxed)
  }

  /// The deviation of the card's sample rate from its nominal rate, in parts per million; positive if the card is fast.
  ///
  /// The rate is measured with the host clock.
  package var driftPPM: Double {
    get { Double(bitPattern: driftBits.load(ordering: .relaxed)) }
    set { driftBits.store(newValue.bitPattern, ordering: .relaxed) }
  }
}
