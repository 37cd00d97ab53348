import MoOSC
import MoRuntime

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
