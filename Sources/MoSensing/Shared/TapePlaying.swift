import Glibc

/// The file and settings of a tape to play: `FILE`, optionally with `?speed=2`, `?loop` or `?speed=2&loop`.
package struct TapePlaying: Equatable, Sendable {
  package var path: String
  /// The speed, 0.001 … 1,000,000: 1 is the original speed, and 2 plays the tape in half of the time.
  package var speed = 1.0
  package var loops = false

  /// - Throws: `SensorError.tape` for a setting other than `loop` and `speed=NUMBER`, or for a speed out of range.
  package init(_ text: String) throws(SensorError) {
    path = text
    // The name of a file may contain a `?`.
    guard let mark = text.lastIndex(of: "?"), access(text, F_OK) != 0 else { return }
    path = String(text[..<mark])
    for wish in text[text.index(after: mark)...].split(separator: "&") {
      if wish == "loop" {
        loops = true
      } else if wish.hasPrefix("speed="), let number = TapePlaying.speed(String(wish.dropFirst(6))) {
        speed = number
      } else {
        throw .tape("unknown setting \"\(wish)\" for a tape: write tape:FILE?speed=2, ?loop or ?speed=2&loop")
      }
    }
  }

  /// Converts a time on the tape to the time at which it is played, both in nanoseconds after the tape's start.
  ///
  /// The result is exact at the original speed.
  package func nanoseconds(_ recorded: Int64) -> Int64 {
    if speed == 1 { return recorded }
    // A tape may span a century, which, slowed down, is more than a clock can count.
    return Int64(min((Double(recorded) / speed).rounded(), 4e18))
  }

  private static func speed(_ text: String) -> Double? {
    var end: UnsafeMutablePointer<CChar>?
    let number = text.withCString { start -> Double? in
      let number = strtod(start, &end)
      return end.map { $0.pointee == 0 && UnsafePointer($0) != start } == true ? number : nil
    }
    return number.flatMap { (1e-3...1e6).contains($0) ? $0 : nil }
  }
}
