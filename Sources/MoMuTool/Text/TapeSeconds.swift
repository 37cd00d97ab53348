/// Returns a time on a tape, given in nanoseconds, as text in seconds such as `12.5 s`, rounded down to milliseconds.
func tapeSeconds(_ nanoseconds: Int64) -> String {
  let milliseconds = nanoseconds / 1_000_000
  let rest = String(milliseconds % 1000)
  var digits = String(repeating: "0", count: 3 - rest.count) + rest
  while digits.hasSuffix("0") { digits.removeLast() }
  return "\(milliseconds / 1000)\(digits.isEmpty ? "" : ".\(digits)") s"
}
