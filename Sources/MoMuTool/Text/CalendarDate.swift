import Glibc

/// Returns a date and time in UTC as text, formatted by `strftime`.
///
/// - Parameter format: the `strftime` format, such as `%Y-%m-%d %H:%M UTC`.
func calendarDate(_ nanosecondsSince1970: Int64, _ format: String) -> String {
  var seconds = time_t(nanosecondsSince1970 / 1_000_000_000)
  var parts = tm()
  gmtime_r(&seconds, &parts)
  var bytes = [CChar](repeating: 0, count: 64)
  let count = strftime(&bytes, bytes.count, format, &parts)
  return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
