import Glibc

/// Up to eight filters of second order in series, for steep slopes: the order is at most 16.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes.
@frozen
public struct Cascade: Sendable {
  @usableFromInline var sections: InlineArray<8, BiQuad>
  /// The number of sections (filters of second order), 0 … 8; with 0 sections, sound passes unchanged.
  public let count: Int
  @usableFromInline var out: Float = 0

  /// Creates a cascade at rest; sections beyond the eighth are ignored.
  public init(_ coefficients: [FilterCoefficients]) {
    count = min(coefficients.count, 8)
    sections = InlineArray(repeating: BiQuad())
    for index in 0..<count { sections[index].coefficients = coefficients[index] }
  }

  /// Returns a Butterworth low-pass, the flattest low-pass of its order.
  ///
  /// The gain is −3 dB at `frequency`. Above this frequency, the gain falls by `order` times 6 dB per octave.
  ///
  /// - Parameters:
  ///   - order: 1 … 16; clamped.
  ///   - frequency: in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - sampleRate: samples per second.
  /// - Source: S. Butterworth, *On the theory of filter amplifiers*, Wireless Engineer 7 (1930).
  public static func lowPass(order: Int, frequency: Double, sampleRate: Double) -> Cascade {
    butterworth(order) { q in
      guard let q else { return .onePole(frequency: frequency, sampleRate: sampleRate, high: false) }
      return .lowPass(frequency: frequency, q: q, sampleRate: sampleRate)
    }
  }

  /// Returns a Butterworth low-pass, from a frequency that is a `Float`.
  @inlinable @_disfavoredOverload
  public static func lowPass(order: Int, frequency: Float, sampleRate: Double) -> Cascade {
    lowPass(order: order, frequency: Double(frequency), sampleRate: sampleRate)
  }

  /// Returns a Butterworth high-pass, the flattest high-pass of its order.
  ///
  /// The gain is −3 dB at `frequency`. Below this frequency, the gain falls by `order` times 6 dB per octave.
  ///
  /// - Parameters:
  ///   - order: 1 … 16; clamped.
  ///   - frequency: in Hz, clamped to 1e-6 … 0.4999 of the sample rate.
  ///   - sampleRate: samples per second.
  public static func highPass(order: Int, frequency: Double, sampleRate: Double) -> Cascade {
    butterworth(order) { q in
      guard let q else { return .onePole(frequency: frequency, sampleRate: sampleRate, high: true) }
      return .highPass(frequency: frequency, q: q, sampleRate: sampleRate)
    }
  }

  /// Returns a Butterworth high-pass, from a frequency that is a `Float`.
  @inlinable @_disfavoredOverload
  public static func highPass(order: Int, frequency: Float, sampleRate: Double) -> Cascade {
    highPass(order: order, frequency: Double(frequency), sampleRate: sampleRate)
  }

  /// Returns a Butterworth cascade: the single pole of an odd order first, then the pole pairs by increasing Q.
  ///
  /// The poles of the analog filter are evenly spaced on a half-circle. `section` returns the coefficients of a section
  /// from the Q of its pole pair. For nil, `section` returns the coefficients of the section with the single pole.
  private static func butterworth(_ order: Int, _ section: (Double?) -> FilterCoefficients) -> Cascade {
    let order = max(1, min(order, 16))
    var coefficients = order % 2 == 1 ? [section(nil)] : []
    for pair in 0..<order / 2 {
      let angle = .pi * Double(2 * pair + 2 - (order + 1) % 2) / Double(2 * order)
      coefficients.append(section(1 / (2 * cos(angle))))
    }
    return Cascade(coefficients)
  }

  /// The coefficients of the section with an index, 0 ..< `count`; any other index stops the program.
  public subscript(section: Int) -> FilterCoefficients {
    get {
      precondition(section >= 0 && section < count, "no such section")
      return sections[section].coefficients
    }
    set {
      precondition(section >= 0 && section < count, "no such section")
      sections[section].coefficients = newValue
    }
  }

  /// Returns the output for one input sample.
  @inlinable
  public mutating func tick(_ input: Float) -> Float {
    out = input
    for index in 0..<count { out = sections[unchecked: index].tick(out) }
    return out
  }

  /// Filters a block in place, with the same result as `tick` on each sample.
  @inlinable
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    for index in 0..<count { sections[unchecked: index].process(&samples) }
    if !samples.isEmpty { out = samples[samples.count &- 1] }
  }

  /// The most recent output sample; 0 at first, and after `clear`.
  @inlinable
  public var lastOut: Float { out }

  /// Returns the gain and phase of the whole cascade for a steady sine; `frequency` and `sampleRate` are in Hz.
  public func response(at frequency: Double, sampleRate: Double) -> FilterResponse {
    var response = FilterResponse(real: 1, imaginary: 0)
    for index in 0..<count {
      response = response * sections[index].response(at: frequency, sampleRate: sampleRate)
    }
    return response
  }

  /// Clears the past sound; the coefficients stay.
  @inlinable
  public mutating func clear() {
    for index in 0..<count { sections[unchecked: index].clear() }
    out = 0
  }
}

extension FilterCoefficients {
  /// Returns a low-pass with one pole, or a high-pass if `high` is true; the gain is −3 dB at exactly `frequency`.
  ///
  /// The bilinear transform gives the coefficients.
  fileprivate static func onePole(frequency: Double, sampleRate: Double, high: Bool) -> Self {
    let g = tan(.pi * FilterLimits.turn(frequency, sampleRate))
    let b0 = (high ? 1 : g) / (1 + g)
    return Self(b0: b0, b1: high ? -b0 : b0, a1: (g - 1) / (g + 1))
  }
}
