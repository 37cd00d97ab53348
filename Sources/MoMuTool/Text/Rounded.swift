/// Returns a number as text with about three significant digits, such as `0`, `0.123`, `1.23`, `12.3`, `123` or `1234`.
func rounded(_ number: Double) -> String {
  guard number != 0 else { return "0" }
  guard number.isFinite else { return "\(number)" }
  let magnitude = abs(number)
  let digits = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3
  let scale = [1.0, 10, 100, 1_000][digits]
  let whole = (magnitude * scale).rounded()
  guard whole < 1e15 else { return "\(number)" }
  let sign = number < 0 && whole > 0 ? "-" : ""
  let units = Int(whole) / Int(scale)
  guard digits > 0 else { return "\(sign)\(units)" }
  let rest = String(Int(whole) % Int(scale))
  return "\(sign)\(units).\(String(repeating: "0", count: digits - rest.count))\(rest)"
}
