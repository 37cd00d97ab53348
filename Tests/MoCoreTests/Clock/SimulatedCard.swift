import Glibc
import MoCore

/// A sound card with its own crystal, and a driver whose answers are as late and as coarse as real ones.
struct SimulatedCard {
  /// The disturbance of the time stamps, in nanoseconds.
  enum Jitter: Sendable, CaseIterable {
    case none, gaussian, exponential, outliers, quantised, usbFrames

    func stamp(_ random: inout TestRandom) -> Double {
      switch self {
      case .none: 0
      case .gaussian: 50_000 * random.gaussian()
      case .exponential: 500_000 * random.exponential()
      case .outliers: 30_000 * random.gaussian() + (random.uniform() < 0.05 ? 5e6 * random.exponential() : 0)
      case .quantised, .usbFrames: 20_000 * random.exponential()
      }
    }

    /// The number of frames by which the driver's position moves.
    var grain: Int64 {
      switch self {
      case .quantised: 240
      case .usbFrames: 48
      default: 1
      }
    }
  }

  let block: Int64
  let jitter: Jitter
  /// The amount by which it runs faster than 48 kHz, in ppm; may be changed on the way.
  var ppm: Double
  var random = TestRandom(seed: 2005)

  /// The number of frames played, and the exact host time of that, in nanoseconds.
  private(set) var played: Int64 = 0
  private(set) var now = 1e12

  init(block: Int64 = 256, ppm: Double, jitter: Jitter) {
    (self.block, self.ppm, self.jitter) = (block, ppm, jitter)
  }

  var nanosecondsPerFrame: Double { 1e9 / (48_000 * (1 + ppm * 1e-6)) }

  /// The next block's first frame: the buffer contains three blocks.
  var written: Int64 { played + 3 * block }

  /// Returns the exact time of a frame, at the present rate.
  func truth(_ frame: Int64) -> Double { now + Double(frame - played) * nanosecondsPerFrame }

  /// Plays a number of frames.
  mutating func play(_ frames: Int64) {
    now += Double(frames) * nanosecondsPerFrame
    played += frames
  }

  /// Stops for a time, as in an xrun.
  mutating func stall(nanoseconds: Double) { now += nanoseconds }

  /// Reads the driver's position; at any moment of the block if the position is coarse.
  mutating func report() -> (frame: Int64, time: HostTime) {
    let phase = jitter.grain > 1 ? random.uniform() * Double(block) : 0
    let position = Int64(Double(played) + phase) / jitter.grain * jitter.grain
    let stamp = now + phase * nanosecondsPerFrame + jitter.stamp(&random)
    return (position, HostTime(nanoseconds: Int64(stamp.rounded())))
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014) and three distributions.
struct TestRandom {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ (bits >> 31)) >> 11) * 0x1p-53
  }

  mutating func exponential() -> Double { -log(1 - uniform()) }

  mutating func gaussian() -> Double { (2 * exponential()).squareRoot() * cos(2 * .pi * uniform()) }
}
