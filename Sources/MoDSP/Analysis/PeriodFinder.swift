/// A finder of the period of a sound, in samples.
///
/// The finder stores the latest samples. Every `hop` samples, it compares a section of the sound with the sections that
/// begin 1, 2, 3 … samples (lags) later: the difference function of YIN. The work is spread over the calls of `add`.
struct PeriodFinder: ~Copyable {
  /// The latest period, in samples, and the likeness of two successive periods, 0 … 1; both are 0 if none is found.
  private(set) var found: (period: Float, likeness: Float) = (0, 0)

  private let shortest: Int
  private let longest: Int
  /// The number of samples that are compared at each lag.
  private let window: Int
  private let hop: Int
  /// The number of samples that an estimate uses: the `window` samples that are compared, and the longest lag.
  private let span: Int

  /// The latest `span` samples, stored twice, so that they are always contiguous.
  private let history: UnsafeMutablePointer<Float>
  /// The samples from which the next estimate is being computed.
  private let sound: UnsafeMutablePointer<Float>
  /// The sum, at each lag, of the squared differences between the sound and the sound shifted by the lag.
  private let difference: UnsafeMutablePointer<Float>
  /// The value of `difference` at each lag, divided by the mean of the values up to that lag.
  private let normal: UnsafeMutablePointer<Float>
  private var place = 0
  private var count = 0
  private var heard = 0
  private var lagsDone = 0

  /// The mean square below which the input counts as silence: −90 dB.
  private static let silence: Float = 1e-9
  /// The value of `normal` below which the sound counts as repeating (step 4 of YIN).
  private static let threshold: Float = 0.15
  /// The longest time, in seconds, over which `refine` measures several periods together.
  private static let refinedOver = 0.0055

  private let refinedLag: Float

  /// Creates a finder of periods from `shortest` to `longest`.
  ///
  /// - Parameters:
  ///   - longest: the longest period in samples.
  ///   - shortest: the shortest period in samples.
  ///   - rate: samples per second.
  init(longest: Double, shortest: Double, rate: Double) {
    self.longest = Int(longest.rounded(.up)) + 2
    self.shortest = max(2, Int(shortest) - 1)
    // At least one period and 25 ms, and a multiple of the vector length.
    window = (max(Int(longest), Int(rate * 0.025)) + 7) & ~7
    hop = max(64, Int(rate * 0.0107))
    refinedLag = Float(rate * Self.refinedOver)
    span = window + self.longest + 1
    history = .allocate(capacity: 2 * span)
    history.initialize(repeating: 0, count: 2 * span)
    sound = .allocate(capacity: span)
    sound.initialize(repeating: 0, count: span)
    difference = .allocate(capacity: self.longest + 2)
    difference.initialize(repeating: 0, count: self.longest + 2)
    normal = .allocate(capacity: self.longest + 2)
    normal.initialize(repeating: 1, count: self.longest + 2)
  }

  deinit {
    history.deallocate()
    sound.deallocate()
    difference.deallocate()
    normal.deallocate()
  }

  /// Adds a sample, and returns whether this sample completed a new estimate in `found`.
  mutating func add(_ sample: Float) -> Bool {
    history[place] = sample
    history[place &+ span] = sample
    place = place &+ 1 == span ? 0 : place &+ 1
    count &+= 1
    if heard < span { heard += 1 }
    if count < hop {
      if count & 15 == 0 { compare(upTo: (longest + 1) * count / hop) }
      return false
    }
    count = 0
    compare(upTo: longest + 1)
    let isWhole = lagsDone > 0
    if isWhole { found = decide() }
    guard heard == span else { return isWhole }
    sound.update(from: history + place, count: span)
    lagsDone = 1
    return isWhole
  }

  /// Computes the difference function up to a lag; does nothing if no estimate is in progress.
  private mutating func compare(upTo lag: Int) {
    guard lagsDone > 0 else { return }
    while lagsDone <= lag {
      difference[lagsDone] = compare(at: lagsDone)
      lagsDone &+= 1
    }
  }

  private func compare(at lag: Int) -> Float {
    let here = UnsafeRawPointer(sound)
    let there = UnsafeRawPointer(sound + lag)
    var sum = SIMD8<Float>.zero
    var offset = 0
    while offset < window &* 4 {
      let change =
        here.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        - there.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      sum += change * change
      offset &+= 32
    }
    return sum.sum()
  }
}

extension PeriodFinder {
  /// Returns the period in samples, and the likeness of two successive periods, from the complete difference function.
  ///
  /// Both values are 0 in silence, and if no period is found.
  private func decide() -> (period: Float, likeness: Float) {
    var total: Float = 0
    for lag in 1...longest + 1 {
      total += difference[lag]
      normal[lag] = total > 0 ? difference[lag] * Float(lag) / total : 1
    }
    // Twice the mean square, without the constant part.
    guard total > 2 * Self.silence * Float(window) * Float(longest) else { return (0, 0) }
    guard let lag = firstDip() else { return (0, 0) }
    let depth = bottom(of: normal, at: lag).value
    return (refine(bottom(of: difference, at: lag).place, depth: depth), max(0, min(1, 1 - depth)))
  }

  /// Returns the shortest lag at which the sound repeats clearly; otherwise the lag at which the sound repeats best.
  ///
  /// The result is nil if `normal` has no minimum at the lags from `shortest` to `longest`.
  private func firstDip() -> Int? {
    var best: (lag: Int, depth: Float)?
    var lag = shortest
    while lag <= longest {
      if normal[lag] <= normal[lag &- 1], normal[lag] < normal[lag &+ 1] {
        let depth = bottom(of: normal, at: lag).value
        if depth < Self.threshold { return lag }
        if depth < best?.depth ?? .infinity { best = (lag, depth) }
      }
      lag &+= 1
    }
    return best?.lag
  }

  /// Returns a period, measured more exactly over two, four, eight and more successive periods.
  ///
  /// The number of periods doubles as long as the periods together last less than `refinedOver` and are alike. Periods
  /// are alike if `normal` at the lag of all these periods is below `depth` + 0.1. A period of more than half of
  /// `refinedOver` is returned unchanged.
  ///
  /// - Parameter depth: the value of `normal` at the lag `period`.
  private func refine(_ period: Float, depth: Float) -> Float {
    var (refined, periods) = (period, Float(1))
    while refined * periods * 2 < min(refinedLag, Float(longest - 1)) {
      let expected = Int((refined * periods * 2).rounded())
      var lag = expected
      for near in max(1, expected - 1)...min(longest, expected + 1) where difference[near] < difference[lag] {
        lag = near
      }
      guard bottom(of: normal, at: lag).value < depth + 0.1 else { break }
      periods *= 2
      refined = bottom(of: difference, at: lag).place / periods
    }
    return refined
  }

  /// Returns the minimum of the parabola through the values at `lag` − 1, `lag` and `lag` + 1.
  ///
  /// `place` is the position of the minimum, as a lag with a fraction.
  private func bottom(of values: UnsafeMutablePointer<Float>, at lag: Int) -> (place: Float, value: Float) {
    let (before, here, after) = (values[lag &- 1], values[lag], values[lag &+ 1])
    let bow = before - 2 * here + after
    guard bow > 0 else { return (Float(lag), here) }
    let shift = max(-1, min(1, (before - after) / (2 * bow)))
    return (Float(lag) + shift, here - (before - after) * shift / 4)
  }
}
