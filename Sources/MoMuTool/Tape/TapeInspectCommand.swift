import ArgumentParser
import MoOSC
import MoRuntime

/// `momu tape inspect`: shows the streams of a tape with their span and rate.
struct TapeInspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Show a tape's streams, readings, span, rates and pauses.",
    discussion: """
      A stream is an address, or a channel of /momu/sensor. The rate is that of the stream's usual interval, the \
      median of its intervals. A pause is an interval at least ten times as long as that. If a tape is damaged, this \
      command shows the part that plays, then the place of the damage. The status is then 1.
      """)

  @Flag(help: "Print one JSON object.")
  var json = false

  @Argument(help: ArgumentHelp("The tape.", valueName: "FILE"))
  var file: String

  func run() throws {
    let tape = try openTape(file)
    var contents = TapeContents()
    var damage: OSCTapeError?
    do throws(OSCTapeError) {
      while let reading = try tape.next() { contents.add(reading) }
    } catch {
      damage = error
    }
    let report = TapeReport(path: file, start: tape.start, madeBy: tape.madeBy, contents: contents)
    show(json ? report.json(warning: damage.map { "\($0)" } ?? tape.warning) : report.text)
    if let damage { throw damage }
    if let warning = tape.warning { printDiagnostic(warning) }
  }
}

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
