import Glibc

/// The start of a sound, as `OnsetDetector` reports it.
@frozen
public struct Onset: Equatable, Sendable, BitwiseCopyable {
  /// Frames between the onset and the last input frame.
  public var age: Int
  /// The rise of the sound above its previous level, in dB, up to 60.
  public var rise: Float

  /// Creates an onset from its age and its rise.
  ///
  /// - Parameters:
  ///   - age: the number of frames between the onset and the last input frame.
  ///   - rise: the rise of the sound above its previous level, in dB.
  @inlinable
  public init(age: Int, rise: Float) {
    self.age = age
    self.rise = rise
  }
}

/// A detector of the start of notes and strikes, within a few milliseconds.
///
/// The sound is split into three bands: below 300 Hz, above 3 kHz, and between. An onset is a clear rise in a band:
/// the last 11 ms of the band are louder than everything in the 35 ms before. After an onset, the detector waits
/// until the rise is over and `gap` has passed (hysteresis). The pulses of a low tone are not onsets, because the
/// detector looks back over 35 ms. A change of pitch without a rise is not an onset.
///
/// <!-- with: var detector = OnsetDetector(); func flash(at time: HostTime) {} -->
///
/// ```swift
/// if let onset = detector.tick(block.input(frame)) { flash(at: block.time(frame - onset.age)) }
/// ```
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes.
public struct OnsetDetector: Voice, Sendable {
  /// The threshold in dB above the usual threshold, clamped to −3 … 20; a lower value detects more onsets.
  ///
  /// The threshold is the rise of the level that an onset needs. 0 is the default.
  public var sensitivity: Float {
    didSet { setThresholds() }
  }
  /// The level below which no sound is an onset, in dB relative to full scale, clamped to −120 … 0.
  public var silence: Float {
    didSet { setThresholds() }
  }
  /// The shortest time between two onsets, in seconds.
  public var gap: Double

  private var sampleRate: Double
  private var hop = 1
  private var lowPart: Float = 0
  private var middlePart: Float = 0
  private var low: Float = 0
  private var middle: Float = 0

  private var sum = SIMD4<Float>.zero
  private var count = 0
  private var place = 0
  private var sinceOnset = Int.max / 2
  private var isOpen = true
  private var thresholds = SIMD4<Float>.zero
  private var floor: Float = 0
  /// The mean energy of each band in each of the latest 64 hops; a hop is a section of 1.3 ms.
  private var hops = InlineArray<64, SIMD4<Float>>(repeating: .zero)
  /// The mean energy of each band in each of the latest 64 groups of eight hops; the groups overlap.
  private var stretches = InlineArray<64, SIMD4<Float>>(repeating: .zero)

  /// The number of hops per second; a hop is a section of the sound.
  private static let hopRate = 750.0
  /// The number of hops in a group; a group ends with each hop.
  private static let stretch = 8
  /// The number of earlier groups with which the latest group is compared.
  private static let memory = 26
  /// The rise, in dB, that an onset needs in the low, the middle and the high band; the fourth value is not used.
  ///
  /// A narrower band needs a larger rise, since the energy of noise varies more in a narrower band.
  private static let usual = SIMD4<Float>(9, 5, 3.5, 0)

  /// Creates a detector, which assumes silence before the first sample.
  ///
  /// - Parameters:
  ///   - sensitivity: the threshold in dB above the usual threshold, clamped to −3 … 20; a lower value detects more
  ///     onsets.
  ///   - silence: the level below which no sound is an onset, in dB relative to full scale, clamped to −120 … 0.
  ///   - gap: the shortest time between two onsets, in seconds.
  ///   - sampleRate: frames per second, above 0; `MoAudio.start` sets the device's rate.
  public init(
    sensitivity: Float = 0, silence: Float = -60, gap: Double = 0.05, sampleRate: Double = 48_000
  ) {
    self.sensitivity = sensitivity
    self.silence = silence
    self.gap = gap
    self.sampleRate = sampleRate
    prepare(sampleRate: sampleRate)
  }

  /// Adapts the detector to a sample rate and resets it.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    self.sampleRate = sampleRate
    hop = max(1, Int((sampleRate / Self.hopRate).rounded()))
    lowPart = Float(-expm1(-2 * .pi * 300 / sampleRate))
    middlePart = Float(-expm1(-2 * .pi * min(3000 / sampleRate, 0.4)))
    hops = InlineArray(repeating: .zero)
    stretches = InlineArray(repeating: .zero)
    sum = .zero
    (low, middle, count, place) = (0, 0, 0, 0)
    (sinceOnset, isOpen) = (Int.max / 2, true)
    setThresholds()
  }

  private mutating func setThresholds() {
    for band in 0..<3 { thresholds[band] = powf(10, (Self.usual[band] + max(-3, min(20, sensitivity))) / 10) }
    floor = powf(10, max(-120, min(0, silence)) / 10)
  }

  /// Processes one sample and returns the onset that this sample confirms; nil for none.
  ///
  /// NaN counts as silence.
  public mutating func tick(_ sample: Float) -> Onset? {
    // The constant avoids slow denormal numbers in the filters during silence; it is far below audibility.
    let sample = (abs(sample) < 1e6 ? sample : 0) + 1e-15
    low += (sample - low) * lowPart
    let rest = sample - low
    middle += (rest - middle) * middlePart
    let bands = SIMD4(low, middle, rest - middle, 0)
    sum += bands * bands
    count &+= 1
    guard count == hop else { return nil }
    return judge()
  }

  /// Processes a block of one channel and returns its first onset, with the age counted from the last frame.
  ///
  /// A block that is not longer than `gap` has at most one onset.
  public mutating func process(_ samples: Span<Float>) -> Onset? {
    var first: Onset?
    for index in samples.indices {
      guard let onset = tick(samples[index]), first == nil else { continue }
      first = Onset(age: onset.age + samples.count - 1 - index, rise: onset.rise)
    }
    return first
  }

  /// Evaluates a complete hop; returns the onset that this hop confirms, nil for none.
  private mutating func judge() -> Onset? {
    hops[place] = sum / Float(hop)
    (sum, count) = (.zero, 0)
    var latest = SIMD4<Float>.zero
    for back in 0..<Self.stretch { latest += hops[(place &- back) & 63] }
    latest /= Float(Self.stretch)
    stretches[place] = latest
    var before = SIMD4<Float>(repeating: 1e-12)
    for back in Self.stretch..<Self.stretch + Self.memory {
      before = pointwiseMax(before, stretches[(place &- back) & 63])
    }
    defer { place = (place &+ 1) & 63 }
    sinceOnset = min(sinceOnset &+ hop, Int.max / 2)
    let rise = latest / before
    let isLoud = latest .> SIMD4(repeating: floor)
    guard isOpen else {
      let isOver = !any((rise .> thresholds.squareRoot()) .& isLoud)
      isOpen = isOver && Double(sinceOnset) >= gap * sampleRate
      return nil
    }
    var rises = rise / thresholds
    rises.replace(with: 0, where: .!isLoud)
    rises[3] = 0
    guard rises.max() > 1 else { return nil }
    isOpen = false
    let band = rises[0] == rises.max() ? 0 : rises[1] == rises.max() ? 1 : 2
    let age = age(in: band, above: before[band])
    sinceOnset = age
    return Onset(age: age, rise: min(60, 10 * log10f(rise[band])))
  }

  /// Returns the age, in frames, of the start of the first loud hop among the latest ten.
  ///
  /// A hop is loud if the band's energy is at least twice `before`, and at least 5 % of the band's mean energy in the
  /// latest eight hops. `before` is the band's greatest energy before the onset.
  private func age(in band: Int, above before: Float) -> Int {
    let level = max(2 * before, 0.05 * stretches[place][band])
    var back = Self.stretch + 1
    while back > 0, hops[(place &- back) & 63][band] < level { back -= 1 }
    return (back + 1) * hop - 1
  }
}
