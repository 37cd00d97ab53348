import MoAudioEngine
import MoCore

/// A sound card under a manual clock, with a clock error and faults that the test sets.
package final class FakeCard: AudioDevice {
  package let name: String
  package let format: AudioFormat
  private let clock: ManualClock
  /// The excess of its clock over nominal, in parts per million.
  package let ppm: Double
  /// Nanoseconds added to each timestamp, by block.
  package var lateness: (Int64) -> Int64 = { _ in 0 }
  /// Faults by the number of their cycle; the card plays nothing during the lost frames of a recovery.
  package var mishaps: [Int: AudioDeviceState] = [:]
  /// The cycles in which the card refuses the block.
  package var refusedWrites: Set<Int> = []
  /// The output: the last block, or all of it if `keepsAll` is set.
  package var played: [Float] = []
  package var keepsAll = false
  package var refusesToStart = false
  package var inputClock: InputClockReport?
  package private(set) var isOpen = true
  package private(set) var starts = 0
  private var cycle = 0
  /// The number of frames that the card accepted since its start.
  package private(set) var written: Int64 = 0
  private var startNanoseconds = 0.0

  package struct Broken: Error {}

  package init(
    _ name: String = "hw:0", sampleRate: Double = 48_000, blockFrames: Int = 256, inputs: Int = 0,
    outputs: Int = 2, ppm: Double = 0, clock: ManualClock
  ) {
    self.name = name
    format = AudioFormat(sampleRate: sampleRate, blockFrames: blockFrames, inputs: inputs, outputs: outputs)
    self.ppm = ppm
    self.clock = clock
  }

  package var outputLatencyFrames: Int { 2 * format.blockFrames }

  /// The true time at which a frame is heard, in nanoseconds.
  package func truth(ofFrame frame: Int64) -> Double {
    startNanoseconds + Double(frame + Int64(outputLatencyFrames)) * 1e9
      / (format.sampleRate * (1 + ppm * 1e-6))
  }

  package func start() throws {
    if refusesToStart { throw Broken() }
    starts += 1
    written = 0
    startNanoseconds = Double(clock.now.nanoseconds)
  }

  package func wait() -> AudioDeviceState {
    cycle += 1
    if let mishap = mishaps[cycle] {
      if case .recovered(let lost) = mishap { startNanoseconds += Double(lost) * 1e9 / format.sampleRate }
      return mishap
    }
    let ear = written - Int64(outputLatencyFrames)
    let stamp = Int64(truth(ofFrame: ear).rounded()) + lateness(written / Int64(format.blockFrames))
    clock.advance(to: HostTime(nanoseconds: Int64(truth(ofFrame: ear))))
    return .ready(position: CardPosition(frame: ear, time: HostTime(nanoseconds: stamp)))
  }

  package func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool {
    for index in block.indices { block[index] = Float(index) / 1000 }
    return true
  }

  package func write(_ block: UnsafeBufferPointer<Float>) -> Bool {
    if refusedWrites.contains(cycle) { return false }
    if keepsAll { played.append(contentsOf: block) } else { played = Array(block) }
    written += Int64(format.blockFrames)
    return true
  }

  package func stop() {}
  package func close() { isOpen = false }
}

/// A renderer and an engine with a fake card.
package func engine(_ card: FakeCard, _ clock: ManualClock, _ callback: @escaping BlockRenderer.Callback)
  -> AudioEngine
{
  AudioEngine(
    device: card,
    renderer: BlockRenderer(format: card.format, statistics: AudioStatistics(), callback: callback),
    clock: clock)
}
