import Glibc

/// The axis of a plot: its range, and ticks at intervals of 1, 2 or 5 times a power of ten.
struct Axis: Equatable {
  let least: Double
  let most: Double
  let step: Double

  /// Creates an axis that covers a range and begins and ends at ticks.
  ///
  /// - Parameter ticks: the approximate number of intervals between ticks.
  init(covering range: ClosedRange<Double>, ticks: Int) {
    // The difference of the largest numbers would be infinite.
    var low = min(max(range.lowerBound, -1e300), 1e300)
    var high = min(max(range.upperBound, -1e300), 1e300)
    // A constant curve lies in the middle.
    if high - low <= abs(high) * 1e-9 {
      let margin = high == 0 ? 1 : abs(high) / 2
      (low, high) = (low - margin, high + margin)
    }
    step = Axis.step(high - low, ticks)
    least = (low / step + 1e-9).rounded(.down) * step
    most = (high / step - 1e-9).rounded(.up) * step
  }

  /// Creates an axis with exactly the given range, and ticks within it.
  init(of range: ClosedRange<Double>, ticks: Int) {
    (least, most) = (range.lowerBound, range.upperBound)
    step = Axis.step(most - least, ticks)
  }

  private static func step(_ range: Double, _ ticks: Int) -> Double {
    let raw = max(range, 1e-300) / Double(max(ticks, 1))
    let power = pow(10, log10(raw).rounded(.down))
    return [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= raw * 0.999 } ?? power * 10
  }

  /// The values of the ticks within the range.
  var ticks: [Double] {
    // There are none if the range is not finite, or if neighbouring floating-point values are more than a step apart.
    guard let first = Int64(exactly: (least / step - 1e-6).rounded(.up)),
      let last = Int64(exactly: (most / step + 1e-6).rounded(.down)), first <= last, last - first <= 1000
    else { return [] }
    return (first...last).map { Double($0) * step }
  }

  /// Returns the position of a value on the axis: 0 at the start of the axis, 1 at its end.
  ///
  /// A value beyond the axis, which ends at 1e300, is at the start or at the end: a curve to its true position would
  /// have billions of points.
  func part(_ value: Double) -> Double {
    most > least ? min(max((value - least) / (most - least), 0), 1) : 0.5
  }

  /// Formats a tick with as many decimal places as the interval of the ticks needs: `0.20` for an interval of 0.05.
  func label(_ tick: Double) -> String {
    let size = max(abs(least), abs(most))
    guard size < 1e7, step >= 1e-5 else { return rounded(tick, inPowers: step) }
    let digits = max(0, Int(-log10(step).rounded(.down) + 0.5))
    let scale = pow(10, Double(digits))
    let whole = Int64((abs(tick) * scale).rounded())
    let text = String(whole / Int64(scale))
    let sign = tick < 0 && whole > 0 ? "-" : ""
    guard digits > 0 else { return sign + text }
    let rest = String(whole % Int64(scale))
    return "\(sign)\(text).\(String(repeating: "0", count: digits - rest.count))\(rest)"
  }

  /// Formats a tick of a very large or very small axis, with a power of ten: `2.5e9`.
  private func rounded(_ tick: Double, inPowers step: Double) -> String {
    guard tick != 0 else { return "0" }
    let power = log10(abs(tick)).rounded(.down)
    let digits = Double(Int((tick / pow(10, power) * 100).rounded())) / 100
    return "\(digits)e\(Int(power))"
  }
}
