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

extension OSCArgument {
  /// The value as text for people; a string is in quotes, so that the string "3" differs from the number 3.
  var plain: String {
    switch self {
    case .int32(let value): String(value)
    case .int64(let value): String(value)
    case .float(let value): String(value)
    case .double(let value): String(value)
    case .string(let value), .symbol(let value): "\"\(value.printable)\""
    case .blob(let bytes):
      "<\(bytes.count) bytes\(bytes.isEmpty ? "" : ": ")\(hex(bytes.prefix(16)))\(bytes.count > 16 ? " …" : "")>"
    case .timeTag(let tag): tag == .immediate ? "now" : "@\(seconds(tag))"
    case .character(let byte): "'\(String(UnicodeScalar(byte)).printable)'"
    case .midi(let port, let status, let data1, let data2): "<midi \(hex([port, status, data1, data2]))>"
    case .bool(let value): value ? "true" : "false"
    case .nil: "nil"
    case .infinitum: "infinitum"
    }
  }

  /// The value in JSON; a value without a JSON form becomes text, and the message's types show the original type.
  var json: JSONValue {
    switch self {
    case .int32(let value): .integer(Int64(value))
    case .int64(let value): .integer(value)
    case .float(let value): .number(Double(String(value)) ?? Double(value))
    case .double(let value): .number(value)
    case .string(let value), .symbol(let value): .text(value)
    case .blob(let bytes): .text(hex(bytes[...]))
    case .timeTag(let tag): tag == .immediate ? .text("now") : .number(seconds(tag))
    case .character(let byte): .text(String(UnicodeScalar(byte)))
    case .midi(let port, let status, let data1, let data2):
      .list([port, status, data1, data2].map { .integer(Int64($0)) })
    case .bool(let value): .bool(value)
    case .nil: .null
    case .infinitum: .text("infinitum")
    }
  }
}

/// Converts a time tag to seconds since 1970 (UTC).
private func seconds(_ tag: OSCTimeTag) -> Double { Double(tag.nanosecondsSince1970) * 1e-9 }

private func hex(_ bytes: some Collection<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}
