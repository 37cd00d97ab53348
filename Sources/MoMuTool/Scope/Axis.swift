import Glibc

/// The numbers along the side of a picture: a step of 1, 2 or 5 times a power of ten.
struct Axis: Equatable {
  let least: Double
  let most: Double
  let step: Double

  /// Covers a range, from one tick to another.
  ///
  /// - Parameter ticks: about how many steps are wished.
  init(covering range: ClosedRange<Double>, ticks: Int) {
    // The difference of the largest numbers is infinite.
    var low = min(max(range.lowerBound, -1e300), 1e300)
    var high = min(max(range.upperBound, -1e300), 1e300)
    // A line that does not move lies in the middle.
    if high - low <= abs(high) * 1e-9 {
      let margin = high == 0 ? 1 : abs(high) / 2
      (low, high) = (low - margin, high + margin)
    }
    step = Axis.step(high - low, ticks)
    least = (low / step + 1e-9).rounded(.down) * step
    most = (high / step - 1e-9).rounded(.up) * step
  }

  /// Has just the range that is given, with ticks in it.
  init(of range: ClosedRange<Double>, ticks: Int) {
    (least, most) = (range.lowerBound, range.upperBound)
    step = Axis.step(most - least, ticks)
  }

  private static func step(_ range: Double, _ ticks: Int) -> Double {
    let raw = max(range, 1e-300) / Double(max(ticks, 1))
    let power = pow(10, log10(raw).rounded(.down))
    return [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= raw * 0.999 } ?? power * 10
  }

  /// The ticks within the range.
  var ticks: [Double] {
    // A range beyond all numbers, and values whose neighbours are more than a step away, have none.
    guard let first = Int64(exactly: (least / step - 1e-6).rounded(.up)),
      let last = Int64(exactly: (most / step + 1e-6).rounded(.down)), first <= last, last - first <= 1000
    else { return [] }
    return (first...last).map { Double($0) * step }
  }

  /// Where a value lies, 0 at the least and 1 at the most.
  func part(_ value: Double) -> Double { most > least ? (value - least) / (most - least) : 0.5 }

  /// A tick as text, with as many digits as the step has.
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

  /// `2.5e9`: what has too many digits.
  private func rounded(_ tick: Double, inPowers step: Double) -> String {
    guard tick != 0 else { return "0" }
    let power = log10(abs(tick)).rounded(.down)
    let digits = Double(Int((tick / pow(10, power) * 100).rounded())) / 100
    return "\(digits)e\(Int(power))"
  }
}
