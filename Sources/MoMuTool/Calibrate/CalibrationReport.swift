/// What `momu calibrate` tells of what it found.
struct CalibrationReport {
  private let found: Calibration
  private let clicks: Int
  private let device: String

  init(_ found: Calibration, clicks: Int, device: String) {
    (self.found, self.clicks, self.device) = (found, clicks, device)
  }

  /// The trim as one types it, in tenths of a millisecond; no zero has a sign.
  var trim: Double { (found.trim * 10).rounded() / 10 + 0 }

  /// Lines for people.
  ///
  /// - Parameter isSaved: whether the trim is kept anyway, so that nothing need be typed.
  func text(isSaved: Bool) -> String {
    let known = found.roundTrip - found.trim
    var lines = [
      "round trip \(rounded(found.roundTrip)) ms, of which \(device) knows \(rounded(known)) ms",
      "trim \(trim) ms: half of \(found.heard) clicks lie within \(rounded(found.spread)) ms of it, all within "
        + "\(rounded(found.farthest)) ms",
    ]
    if found.heard < clicks { lines.append("\(clicks - found.heard) of \(clicks) clicks were not heard") }
    if found.isOverdriven { lines.append("the microphone was overdriven: turn it down for a finer figure") }
    if !isSaved {
      lines.append("to use it: --trim \(trim) with any program; to keep it: momu calibrate --save")
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
