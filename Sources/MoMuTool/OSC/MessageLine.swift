import MoOSC
import MoRuntime

/// A received message, as `momu osc listen` prints it.
struct MessageLine {
  var message: OSCMessage
  /// The sender's address and port: `192.168.0.7:57120`.
  var sender: String
  /// The seconds since the time of the message's time tag or, without a time tag, since the message's arrival.
  var age: Double
  /// The number of messages per second from this sender at this OSC address.
  ///
  /// The rate is nil for the first message, and for the first message after a pause.
  var rate: Double?
  /// The time tag of the message's bundle; nil if there was no bundle, or if the time tag means "immediately".
  var timeTag: OSCTimeTag?

  /// The line as text for people, with age and rate at its end: `192.168.0.7:57120  /tilt ff 0.5 -0.25  0.2 ms, 100/s`.
  var plain: String {
    let words = [message.address.printable, message.typeTags] + message.arguments.map(\.plain)
    let rate = rate.map { ", \(rounded($0))/s" } ?? ""
    return "\(sender)  \(words.filter { !$0.isEmpty }.joined(separator: " "))  \(milliseconds(age))\(rate)"
  }

  /// The line for programs: one JSON object.
  var json: String {
    JSONValue.object([
      ("address", .text(message.address)), ("types", .text(message.typeTags)),
      ("values", .list(message.arguments.map(\.json))), ("sender", .text(sender)), ("age", .number(age)),
      ("rate", rate.map { .number($0) } ?? .null),
      ("timeTag", timeTag.map { OSCArgument.timeTag($0).json } ?? .null),
    ]).description
  }
}

/// Formats seconds as milliseconds: `0.2 ms`, `1.25 ms`, `13 ms`.
func milliseconds(_ seconds: Double) -> String { "\(rounded(seconds * 1_000)) ms" }
