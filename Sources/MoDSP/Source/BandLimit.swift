import Glibc

/// A band-limiter for the jumps and corners of a waveform of straight lines; it delays the waveform by 12 samples.
@frozen
@usableFromInline
struct BandLimit: Sendable {
  @usableFromInline let table: StepTable
  /// The next output samples, from index `now` on; a jump or corner changes 24 of them, and `now` is 0 ..< 24.
  @usableFromInline var coming = InlineArray<48, Float>(repeating: 0)
  @usableFromInline var now = 0

  @usableFromInline
  init() { table = .shared }

  /// Adds a jump by `size` to the waveform; the jump happens `late` samples, 0 ..< 1, before the next sample.
  @inlinable
  mutating func jump(by size: Double, late: Double) { add(table.steps, Float(size), late) }

  /// Adds a corner to the waveform: its slope changes by `size` per sample.
  ///
  /// The corner happens `late` samples, 0 ..< 1, before the next sample.
  @inlinable
  mutating func turn(by size: Double, late: Double) { add(table.corners, Float(size), late) }

  @inlinable
  mutating func add(_ table: UnsafePointer<Float>, _ size: Float, _ late: Double) {
    let place = max(0, min(late, 0.999_999)) * Double(StepTable.places)
    let whole = Int(place)
    let (near, share) = (table + whole &* StepTable.width, Float(place - Double(whole)))
    for tap in 0..<StepTable.width {
      let difference = near[tap] + share * (near[tap &+ StepTable.width] - near[tap])
      coming[unchecked: now &+ tap] += size * difference
    }
  }

  /// Returns the next output sample; `sharp` is the next sample of the waveform without band-limiting.
  @inlinable
  mutating func next(_ sharp: Double) -> Float {
    coming[unchecked: now &+ StepTable.width / 2] += Float(sharp)
    let output = coming[unchecked: now]
    now &+= 1
    if now == StepTable.width {
      for index in 0..<StepTable.width {
        coming[unchecked: index] = coming[unchecked: index &+ StepTable.width]
        coming[unchecked: index &+ StepTable.width] = 0
      }
      now = 0
    }
    return output
  }
}

/// Two tables: a band-limited step minus a sharp step, and a band-limited corner minus a sharp corner.
///
/// A step or corner can lie between two samples, so each table has 64 positions per sample interval.
///
/// The band-limited step is the integral of a sinc under a Kaiser window. At a sample rate of 48 kHz, the step's filter
/// is flat to 18 kHz, and attenuates by 53 dB from 24 kHz on. With the 24 samples of the step in this table, the
/// aliases of a sawtooth at 5 kHz are 66 dB softer than its fundamental.
///
/// - Source: E. Brandt, *Hard sync without aliasing*, ICMC (2001), with linear phase; for corners F. Esqueda,
///   V. Välimäki, S. Bilbao, *Rounding corners with BLAMP*, DAFx (2016).
@usableFromInline
struct StepTable: @unchecked Sendable {
  // Written once, in `init`, and never freed: this makes it Sendable, without reference counting.
  /// For each position, 24 samples of a band-limited step of size 1 minus a sharp step of size 1.
  @usableFromInline let steps: UnsafePointer<Float>
  /// For each position, 24 samples of a band-limited corner minus a sharp corner whose slope changes by 1 per sample.
  @usableFromInline let corners: UnsafePointer<Float>

  @inlinable static var width: Int { 24 }
  @inlinable static var places: Int { 64 }

  /// The tables that all band-limited oscillators share; the `init` of the first such oscillator creates the tables.
  @usableFromInline static let shared = StepTable()

  private init() {
    let (half, fine) = (Self.width / 2, Self.width * Self.places)
    // The kernel's integral, and the integral of that, by the trapezoidal rule at 64 positions per sample.
    var (step, corner) = ([0.0], [0.0])
    var before = Self.kernel(-Double(half))
    for index in 1...fine {
      let here = Self.kernel(Double(index) / Double(Self.places) - Double(half))
      step.append(step[index - 1] + (before + here) / 2)
      before = here
    }
    let whole = step[fine]
    func excess(_ index: Int, isAfter: Bool) -> Double { step[index] / whole - (isAfter ? 1 : 0) }
    for index in 1...fine {
      let isAfter = index > fine / 2
      corner.append(
        corner[index - 1] + (excess(index - 1, isAfter: isAfter) + excess(index, isAfter: isAfter))
          / Double(2 * Self.places))
    }
    let size = (Self.places + 1) * Self.width
    let table = UnsafeMutablePointer<Float>.allocate(capacity: 2 * size)
    for place in 0...Self.places {
      for tap in 0..<Self.width {
        let index = tap * Self.places + place
        table[place * Self.width + tap] = Float(excess(index, isAfter: tap >= half))
        table[size + place * Self.width + tap] = Float(corner[index])
      }
    }
    steps = UnsafePointer(table)
    corners = UnsafePointer(table + size)
  }

  /// Returns the impulse response of the band-limiting low-pass, `time` samples after the middle of the response.
  private static func kernel(_ time: Double) -> Double {
    let (cutoff, sharpness) = (0.435, 4.75)
    let place = 2 * time / Double(width)
    let angle = 2 * .pi * cutoff * time
    return (angle == 0 ? 1 : sin(angle) / angle) * bessel(sharpness * max(0, 1 - place * place).squareRoot())
  }

  /// Returns the modified Bessel function of order 0.
  private static func bessel(_ x: Double) -> Double {
    var (term, sum) = (1.0, 1.0)
    for order in 1...24 {
      term *= (x / Double(2 * order)) * (x / Double(2 * order))
      sum += term
    }
    return sum
  }
}
