import MoOSC
import MoRuntime

/// A message that came, as `momu osc listen` shows it.
struct MessageLine {
  var message: OSCMessage
  /// `192.168.0.7:57120`.
  var sender: String
  /// Seconds from its time tag's moment, or else from its arrival, to now.
  var age: Double
  /// Messages a second at this address from this sender; nil for the first.
  var rate: Double?
  /// The bundle's time tag.
  var timeTag: OSCTimeTag?

  /// `192.168.0.7:57120  /tilt ff 0.5 -0.25  0.2 ms, 100/s`.
  var plain: String {
    let words = [message.address.printable, message.typeTags] + message.arguments.map(\.plain)
    let rate = rate.map { ", \(rounded($0))/s" } ?? ""
    return "\(sender)  \(words.filter { !$0.isEmpty }.joined(separator: " "))  \(milliseconds(age))\(rate)"
  }

  /// One JSON object, without a line break.
  var json: String {
    JSONValue.object([
      ("address", .text(message.address)), ("types", .text(message.typeTags)),
      ("values", .list(message.arguments.map(\.json))), ("sender", .text(sender)), ("age", .number(age)),
      ("rate", rate.map { .number($0) } ?? .null),
      ("timeTag", timeTag.map { OSCArgument.timeTag($0).json } ?? .null),
    ]).description
  }
}

/// `0.2 ms`, `1.25 ms`, `13 ms`.
func milliseconds(_ seconds: Double) -> String { "\(rounded(seconds * 1_000)) ms" }
