import Glibc

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

/// Returns a time on a tape, given in nanoseconds, as text in seconds such as `12.5 s`, rounded down to milliseconds.
func tapeSeconds(_ nanoseconds: Int64) -> String {
  let milliseconds = nanoseconds / 1_000_000
  let rest = String(milliseconds % 1000)
  var digits = String(repeating: "0", count: 3 - rest.count) + rest
  while digits.hasSuffix("0") { digits.removeLast() }
  return "\(milliseconds / 1000)\(digits.isEmpty ? "" : ".\(digits)") s"
}

/// Returns a date and time in UTC as text, formatted by `strftime`.
///
/// - Parameter format: the `strftime` format, such as `%Y-%m-%d %H:%M UTC`.
package func calendarDate(_ nanosecondsSince1970: Int64, _ format: String) -> String {
  var seconds = time_t(nanosecondsSince1970 / 1_000_000_000)
  var parts = tm()
  gmtime_r(&seconds, &parts)
  var bytes = [CChar](repeating: 0, count: 64)
  let count = strftime(&bytes, bytes.count, format, &parts)
  return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
