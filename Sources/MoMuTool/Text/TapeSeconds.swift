/// Formats nanoseconds of a tape as seconds: `12.5 s`.
func tapeSeconds(_ nanoseconds: Int64) -> String {
  let milliseconds = nanoseconds / 1_000_000
  let rest = String(milliseconds % 1000)
  var digits = String(repeating: "0", count: 3 - rest.count) + rest
  while digits.hasSuffix("0") { digits.removeLast() }
  return "\(milliseconds / 1000)\(digits.isEmpty ? "" : ".\(digits)") s"
}
