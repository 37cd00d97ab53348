/// The output of `momu calibrate`.
struct CalibrationReport {
  private let found: Calibration
  private let clicks: Int
  private let device: String

  init(_ found: Calibration, clicks: Int, device: String) {
    (self.found, self.clicks, self.device) = (found, clicks, device)
  }

  /// The trim in milliseconds, rounded to tenths; a zero has no minus sign.
  var trim: Double { (found.trim * 10).rounded() / 10 + 0 }

  /// Returns the report as lines of text.
  ///
  /// - Parameter isSaved: whether the trim is saved, so that the user need not type it.
  func text(isSaved: Bool) -> String {
    let known = found.roundTrip - found.trim
    var lines = [
      "round trip \(rounded(found.roundTrip)) ms, of which \(device) reports \(rounded(known)) ms",
      "trim \(trim) ms: half of \(found.heard) clicks are within \(rounded(found.spread)) ms of it, all within "
        + "\(rounded(found.farthest)) ms",
    ]
    if found.heard < clicks { lines.append("\(clicks - found.heard) of \(clicks) clicks were not heard") }
    if found.isOverdriven { lines.append("the microphone clipped: turn it down for a more exact trim") }
    if !isSaved {
      lines.append("to use it: --trim \(trim) with any program; to save it: momu calibrate --save")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: String {
    JSONValue.object([
      ("device", .text(device)), ("trim_ms", .number(trim)), ("spread_ms", .number(found.spread)),
      ("farthest_ms", .number(found.farthest)), ("round_trip_ms", .number(found.roundTrip)),
      ("heard", .integer(Int64(found.heard))), ("clicks", .integer(Int64(clicks))),
    ]).description
  }
}
