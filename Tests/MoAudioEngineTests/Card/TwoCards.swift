import Glibc
import MoAudioEngine
import MoCore
import MoTesting

/// A cycle that plays on one card and records from another, in virtual time, and the recorded input.
final class TwoCards {
  let clock = ManualClock(HostTime(seconds: 100))
  let playback: DriftingPCM
  let capture: DriftingPCM
  let cycle: PCMCycle<DriftingPCM>
  let block: Int
  /// Receives each block of input, its position in playback, and its time at the microphone according to the cycle.
  var receive: (UnsafeMutableBufferPointer<Float>, Int64, HostTime?) -> Void = { _, _, _ in }
  private var random = TestRandom(seed: 20)
  private let lateness: Double
  private let load: Double
  private let input: UnsafeMutableBufferPointer<Float>
  private let silence: [Float]
  private var frames: Int64 = 0

  /// - Parameters:
  ///   - ppm: the excess of the input card's rate, in parts per million; playback itself runs 50 ppm fast.
  ///   - lateness: the mean delay of the thread's wakes, in seconds; exponentially distributed.
  ///   - load: the fraction of a block's duration that the callback takes.
  init(
    ppm: Double, block: Int, isCoarse: Bool = false, lateness: Double = 0.0002, load: Double = 0.1,
    sound: @escaping (Double) -> Float
  ) {
    (self.block, self.lateness, self.load) = (block, lateness, load)
    let depth = 4 * block
    playback = DriftingPCM(
      capture: false, clock: clock, ppm: 50, period: block, periods: 8, depth: depth, isCoarse: isCoarse)
    capture = DriftingPCM(
      capture: true, clock: clock, ppm: 50 + ppm, period: block, periods: 8, isCoarse: isCoarse, sound: sound)
    let format = AudioFormat(sampleRate: 48_000, blockFrames: block, inputs: 1, outputs: 1)
    cycle = PCMCycle(
      format: format, playback: playback, capture: capture, inStep: false, linked: false, depth: depth,
      clock: clock)
    cycle.pollTimeout = 0
    input = .allocate(capacity: block)
    input.initialize(repeating: 0)
    silence = [Float](repeating: 0, count: block)
    capture.sleep = { [unowned self] in sleep() }
    _ = cycle.start()
  }

  deinit { input.deallocate() }

  var report: InputClockReport { cycle.inputClock ?? InputClockReport(resyncs: -1) }

  /// Runs for the given time, in seconds.
  func run(seconds: Double) {
    let end = clock.now.advanced(bySeconds: seconds)
    while clock.now < end, !cycle.isLost {
      guard case .ready = cycle.wait() else { continue }
      _ = cycle.read(input)
      receive(input, frames, cycle.inputTime)
      frames += Int64(block)
      _ = silence.withUnsafeBufferPointer { cycle.write($0) }
      // During the program's callback, wakes have no effect.
      clock.advance(by: .microseconds(Int64(load * Double(block) / 48_000 * 1e6)))
    }
  }

  /// Waits until a card wakes the thread, with a delay.
  private func sleep() {
    let wake = min(playback.nextWake, capture.nextWake)
    guard wake > clock.now else { return }
    // Never late enough for an underrun or overrun.
    let late = min(-log(1 - random.uniform()) * lateness, Double(block) / 48_000)
    clock.advance(to: wake.advanced(bySeconds: late))
  }
}

/// Measures the phase of a tone through blocks, in sections of a hundredth of a second.
struct PhaseMeter {
  /// The phase difference from the ideal, in seconds, for each hundredth of a second.
  private(set) var offsets: [Double] = []
  private let frequency: Double
  private let cyclesPerFrame: Double
  private var sum = (cosine: 0.0, sine: 0.0)
  private var count = 0

  private static let window = 480

  /// - Parameters:
  ///   - frequency: of the tone in true time, a multiple of 100 Hz.
  ///   - rate: true frames per second of playback.
  init(frequency: Double, rate: Double) {
    (self.frequency, cyclesPerFrame) = (frequency, frequency / rate)
  }

  mutating func add(_ samples: UnsafeMutableBufferPointer<Float>, at frame: Int64) {
    for index in 0..<samples.count {
      let cycles = Double(frame + Int64(index)) * cyclesPerFrame
      let angle = 2 * .pi * (cycles - cycles.rounded(.down))
      sum.cosine += Double(samples[index]) * cos(angle)
      sum.sine += Double(samples[index]) * sin(angle)
      count += 1
      guard count == Self.window else { continue }
      offsets.append(atan2(sum.cosine, sum.sine) / (2 * .pi * frequency))
      (sum, count) = ((0, 0), 0)
    }
  }

  /// Returns the largest distance of the offsets from their middle after the given time, in seconds.
  func jitter(after seconds: Double) -> Double {
    let settled = offsets.dropFirst(Int(seconds * 100))
    guard let first = settled.first else { return .infinity }
    // A full turn of the phase is not a jump in time.
    let period = 1 / frequency
    let unwrapped = settled.map { $0 - first - (($0 - first) / period).rounded() * period }
    return ((unwrapped.max() ?? 0) - (unwrapped.min() ?? 0)) / 2
  }
}
