import MoOSC
import MoRuntime

/// The output of `momu tape inspect`.
struct TapeReport {
  var path: String
  var start: OSCTimeTag
  var madeBy: String?
  var contents: TapeContents

  var text: String {
    let date = Self.date(start).map { " from \($0)" } ?? ", in counted time"
    let maker = madeBy.map { ", made by \($0.printable)" } ?? ""
    var text = "\(path): \(tapeSeconds(contents.latest))\(date)\(maker)\n"
    text += counted(contents.messages, "message") + "\n"
    let rows = contents.streams.map(row)
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = zip(row, widths).map { $0.padded(to: $1) }
      text += "  " + cells.joined(separator: "  ").trimmed + "\n"
    }
    if contents.others > 0 { text += "  and \(counted(contents.others, "message")) of further streams\n" }
    return text
  }

  private func row(_ stream: TapeContents.Stream) -> [String] {
    let name = stream.name.address + (stream.name.channel.map { " \"\($0)\"" } ?? "")
    let rate = stream.usualInterval.map { "\(rounded(1 / $0))/s" } ?? ""
    var pause = ""
    if stream.count > 2 {
      pause = "longest pause \(tapeSeconds(stream.longestPause)) at \(tapeSeconds(stream.longestPauseAt))"
      if stream.pauses > 0 { pause += ", \(counted(stream.pauses, "pause"))" }
    }
    return [
      name.printable, stream.types.isEmpty ? "-" : stream.types, String(stream.count),
      "\(tapeSeconds(stream.first)) to \(tapeSeconds(stream.last))", rate, pause,
    ]
  }

  /// Returns the report as one JSON object, with all times in seconds.
  ///
  /// Each time is relative to the tape's start, except `start`, which is relative to 1970.
  ///
  /// - Parameter warning: the problem of the tape; nil for none.
  func json(warning: String?) -> String {
    func seconds(_ nanoseconds: Int64) -> JSONValue { .number(Double(nanoseconds) * 1e-9) }
    let streams = contents.streams.map { stream in
      JSONValue.object([
        ("address", .text(stream.name.address)), ("channel", stream.name.channel.map { .text($0) } ?? .null),
        ("types", .text(stream.types)), ("count", .integer(Int64(stream.count))),
        ("first", seconds(stream.first)), ("last", seconds(stream.last)),
        ("usualInterval", stream.usualInterval.map { .number($0) } ?? .null),
        ("longestPause", seconds(stream.longestPause)), ("longestPauseAt", seconds(stream.longestPauseAt)),
        ("pauses", .integer(Int64(stream.pauses))),
      ])
    }
    return JSONValue.object([
      ("file", .text(path)), ("madeBy", madeBy.map { .text($0) } ?? .null),
      ("start", seconds(start.nanosecondsSince1970)), ("seconds", seconds(contents.latest)),
      ("messages", .integer(Int64(contents.messages))), ("warning", warning.map { .text($0) } ?? .null),
      ("streams", .list(streams)),
    ]).description + "\n"
  }

  /// Returns a date such as `2026-11-21 12:00:00 UTC`; nil for a tape recorded offline, which has no date.
  private static func date(_ start: OSCTimeTag) -> String? {
    let nanoseconds = start.nanosecondsSince1970
    guard nanoseconds != 0 else { return nil }
    return calendarDate(nanoseconds, "%Y-%m-%d %H:%M:%S UTC")
  }
}
