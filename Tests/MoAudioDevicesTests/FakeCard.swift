import MoCore

@testable import MoAudioEngine

/// A sound card under a manual clock, with a crystal of its own and whatever mishap the test has in mind.
final class FakeCard: AudioDevice {
  let name: String
  let format: AudioFormat
  private let clock: ManualClock
  /// How much faster than nominal its crystal runs.
  let ppm: Double
  /// What is told late: nanoseconds added to every stamp, by block.
  var lateness: (Int64) -> Int64 = { _ in 0 }
  /// Mishaps by the number of the cycle they happen in.
  var mishaps: [Int: AudioDeviceState] = [:]
  /// Keeps only what the program played last, unless a test wants all.
  var played: [Float] = []
  var keepsAll = false
  var refusesToStart = false
  private(set) var isOpen = true
  private(set) var starts = 0
  private var cycle = 0
  private var written: Int64 = 0
  private var startNanoseconds = 0.0

  struct Broken: Error {}

  init(
    _ name: String = "hw:0", sampleRate: Double = 48_000, blockFrames: Int = 256, inputs: Int = 0,
    outputs: Int = 2, ppm: Double = 0, clock: ManualClock
  ) {
    self.name = name
    format = AudioFormat(sampleRate: sampleRate, blockFrames: blockFrames, inputs: inputs, outputs: outputs)
    self.ppm = ppm
    self.clock = clock
  }

  var outputLatencyFrames: Int { 2 * format.blockFrames }

  /// When a frame written since the start really reaches the ear, in nanoseconds.
  func truth(ofFrame frame: Int64) -> Double {
    startNanoseconds + Double(frame + Int64(outputLatencyFrames)) * 1e9
      / (format.sampleRate * (1 + ppm * 1e-6))
  }

  func start() throws {
    if refusesToStart { throw Broken() }
    starts += 1
    written = 0
    startNanoseconds = Double(clock.now.nanoseconds)
  }

  func wait() -> AudioDeviceState {
    cycle += 1
    if let mishap = mishaps[cycle] { return mishap }
    let ear = written - Int64(outputLatencyFrames)
    let stamp = Int64(truth(ofFrame: ear).rounded()) + lateness(written / Int64(format.blockFrames))
    clock.advance(to: HostTime(nanoseconds: Int64(truth(ofFrame: ear))))
    return .ready(position: CardPosition(frame: ear, time: HostTime(nanoseconds: stamp)))
  }

  func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool {
    for index in block.indices { block[index] = Float(index) / 1000 }
    return true
  }

  func write(_ block: UnsafeBufferPointer<Float>) -> Bool {
    if keepsAll { played.append(contentsOf: block) } else { played = Array(block) }
    written += Int64(format.blockFrames)
    return true
  }

  func stop() {}
  func close() { isOpen = false }
}

/// A renderer and an engine around a fake card.
func engine(_ card: FakeCard, _ clock: ManualClock, _ callback: @escaping BlockRenderer.Callback)
  -> AudioEngine
{
  AudioEngine(
    device: card,
    renderer: BlockRenderer(format: card.format, statistics: AudioStatistics(), callback: callback),
    clock: clock)
}
