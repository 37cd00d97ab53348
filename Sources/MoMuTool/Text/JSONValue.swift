import MoRuntime

/// A JSON value (RFC 8259), for programs that read the tool's output.
enum JSONValue: Equatable, CustomStringConvertible {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case list([JSONValue])
  /// An object; its members keep their order.
  case object([(String, JSONValue)])

  /// The JSON text, on one line and without spaces.
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    // JSON cannot express NaN or infinity.
    case .number(let value): value.isFinite ? String(value) : "null"
    case .text(let value): JSONValue.quoted(value)
    case .list(let values): "[" + values.map(\.description).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\(JSONValue.quoted($0)):\($1)" }.joined(separator: ",") + "}"
    }
  }

  static func == (left: JSONValue, right: JSONValue) -> Bool { left.description == right.description }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case _ where !scalar.isPrintable:
        for unit in UTF16.encode(scalar)! {
          let digits = String(unit, radix: 16)
          quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
