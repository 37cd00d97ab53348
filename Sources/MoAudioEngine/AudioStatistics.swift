import Synchronization

/// Counts and levels that the audio thread writes and any thread reads.
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
  /// Frames kept queued for the present device, and the number of underruns that made its queue longer.
  package let queuedFrames = Atomic<Int>(0)
  package let queueGrowths = Atomic<Int>(0)
  /// Whether input comes from another clock than playback's, and its counts since the start.
  package let hasInputClock = Atomic<Bool>(false)
  private let inputDriftBits = Atomic<UInt64>(0)
  private let inputResyncs = Atomic<Int>(0)
  private let inputRepeatedFrames = Atomic<Int>(0)
  private let inputDroppedFrames = Atomic<Int>(0)
  private let ownThreadKind = Atomic<Int>(0)
  private let peakBits = Atomic<UInt32>(0)
  private let loadBits = Atomic<UInt64>(0)
  private let driftBits = Atomic<UInt64>(0)

  package init() {}

  /// The kind of the device's own thread that calls the program.
  package var ownThread: DeviceThread {
    get { DeviceThread(rawValue: ownThreadKind.load(ordering: .relaxed)) ?? .none }
    set { ownThreadKind.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// The report on input from another clock, over all devices since the start; nil if there is none now.
  package var inputClock: InputClockReport? {
    guard hasInputClock.load(ordering: .relaxed) else { return nil }
    return InputClockReport(
      driftPPM: Double(bitPattern: inputDriftBits.load(ordering: .relaxed)),
      resyncs: inputResyncs.load(ordering: .relaxed),
      repeatedFrames: inputRepeatedFrames.load(ordering: .relaxed),
      droppedFrames: inputDroppedFrames.load(ordering: .relaxed))
  }

  /// Adds the increase of a device's report; for the audio thread.
  func add(_ report: InputClockReport, since before: InputClockReport) {
    inputDriftBits.store(report.driftPPM.bitPattern, ordering: .relaxed)
    inputResyncs.wrappingAdd(report.resyncs - before.resyncs, ordering: .relaxed)
    inputRepeatedFrames.wrappingAdd(report.repeatedFrames - before.repeatedFrames, ordering: .relaxed)
    inputDroppedFrames.wrappingAdd(report.droppedFrames - before.droppedFrames, ordering: .relaxed)
  }

  /// Returns and resets the highest sample; for one reader.
  package func takePeak() -> Float { Float(bitPattern: peakBits.exchange(0, ordering: .relaxed)) }

  /// Raises the peak; for the audio thread.
  func raisePeak(to level: Float) {
    // Non-negative floats have the order of their bits.
    _ = peakBits.max(level.bitPattern, ordering: .relaxed)
  }

  /// The fraction of a block's duration spent in the callback, smoothed over about 20 blocks.
  package var load: Double { Double(bitPattern: loadBits.load(ordering: .relaxed)) }

  /// Adds one block's load; for the audio thread.
  func add(load sample: Double) {
    loadBits.store((load + 0.05 * (sample - load)).bitPattern, ordering: .relaxed)
  }

  /// The deviation of the card's rate from nominal, in parts per million of the host clock.
  package var driftPPM: Double {
    get { Double(bitPattern: driftBits.load(ordering: .relaxed)) }
    set { driftBits.store(newValue.bitPattern, ordering: .relaxed) }
  }
}
