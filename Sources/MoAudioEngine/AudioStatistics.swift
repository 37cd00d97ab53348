import Synchronization

/// Counts and levels that the audio thread writes and anybody reads.
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
  /// Frames in a block of the device that plays now.
  package let blockFrames = Atomic<Int>(0)
  /// Frames kept queued towards that device, and how often an underrun has made them more since it started.
  package let queuedFrames = Atomic<Int>(0)
  package let queueGrowths = Atomic<Int>(0)
  /// Whether input comes from another clock than playback's, and what has happened to such input since the start.
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

  /// The thread of the device's own that calls the program.
  package var ownThread: DeviceThread {
    get { DeviceThread(rawValue: ownThreadKind.load(ordering: .relaxed)) ?? .none }
    set { ownThreadKind.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// What has happened to input from another clock, over all devices since the start; nil where there is none now.
  package var inputClock: InputClockReport? {
    guard hasInputClock.load(ordering: .relaxed) else { return nil }
    return InputClockReport(
      driftPPM: Double(bitPattern: inputDriftBits.load(ordering: .relaxed)),
      resyncs: inputResyncs.load(ordering: .relaxed),
      repeatedFrames: inputRepeatedFrames.load(ordering: .relaxed),
      droppedFrames: inputDroppedFrames.load(ordering: .relaxed))
  }

  /// Adds what a device reports beyond what it had reported before; for the audio thread.
  func add(_ report: InputClockReport, since before: InputClockReport) {
    inputDriftBits.store(report.driftPPM.bitPattern, ordering: .relaxed)
    inputResyncs.wrappingAdd(report.resyncs - before.resyncs, ordering: .relaxed)
    inputRepeatedFrames.wrappingAdd(report.repeatedFrames - before.repeatedFrames, ordering: .relaxed)
    inputDroppedFrames.wrappingAdd(report.droppedFrames - before.droppedFrames, ordering: .relaxed)
  }

  /// The highest sample since it was last taken; for one reader.
  package func takePeak() -> Float { Float(bitPattern: peakBits.exchange(0, ordering: .relaxed)) }

  /// Raises the peak; for the audio thread.
  func raisePeak(to level: Float) {
    // Non-negative floats order as their bits do.
    _ = peakBits.max(level.bitPattern, ordering: .relaxed)
  }

  /// The part of a block's duration spent in the callback, smoothed over about 20 blocks; 1 is all of it.
  package var load: Double { Double(bitPattern: loadBits.load(ordering: .relaxed)) }

  /// Adds one block's load; for the audio thread.
  func add(load sample: Double) {
    loadBits.store((load + 0.05 * (sample - load)).bitPattern, ordering: .relaxed)
  }

  /// How much faster than nominal the card runs, in parts per million of the host clock.
  package var driftPPM: Double {
    get { Double(bitPattern: driftBits.load(ordering: .relaxed)) }
    set { driftBits.store(newValue.bitPattern, ordering: .relaxed) }
  }
}
