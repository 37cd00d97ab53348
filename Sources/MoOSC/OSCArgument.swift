/// A value in a message, with its OSC type.
///
/// The types are the standard types of OSC 1.0, and the optional types that liblo supports. Swift literals become the
/// common types: `OSCMessage("/drum/hit", [3, 0.5, "left", true])` has the types i f s T.
public enum OSCArgument: Hashable, Sendable {
  /// `i`: a 32-bit integer.
  case int32(Int32)
  /// `f`: a 32-bit float.
  case float(Float)
  /// `s`: text.
  ///
  /// The text must not contain a zero byte. In a received text, bytes that are not UTF-8 become U+FFFD.
  case string(String)
  /// `b`: any bytes.
  case blob([UInt8])
  /// `h`: a 64-bit integer.
  case int64(Int64)
  /// `d`: a 64-bit float.
  case double(Double)
  /// `t`: a moment in time.
  case timeTag(OSCTimeTag)
  /// `S`: a symbolic name; the rules are those of `string`.
  case symbol(String)
  /// `c`: an ASCII character, sent as a 32-bit integer; of a received integer, only the low 8 bits are kept.
  case character(UInt8)
  /// `m`: a MIDI message of up to three bytes, and its port.
  case midi(port: UInt8, status: UInt8, data1: UInt8, data2: UInt8)
  /// `T` and `F`: a boolean; the type alone carries the value.
  case bool(Bool)
  /// `N`: nil, a type without a value.
  case `nil`
  /// `I`: infinitum, an impulse ("bang") in OSC 1.1.
  case infinitum

  /// The types that liblo reads and writes, as shown to users.
  package static let knownTypes = "i f s b h d t S c m T F N I"

  /// The character that stands for this argument's type in a message, such as `i`.
  public var typeTag: Character {
    switch self {
    case .int32: "i"
    case .float: "f"
    case .string: "s"
    case .blob: "b"
    case .int64: "h"
    case .double: "d"
    case .timeTag: "t"
    case .symbol: "S"
    case .character: "c"
    case .midi: "m"
    case .bool(let value): value ? "T" : "F"
    case .nil: "N"
    case .infinitum: "I"
    }
  }

  /// The value of a number of type i, f, h or d; nil for every other type.
  ///
  /// The value is exact except for 64-bit integers beyond 2⁵³.
  public var number: Double? {
    switch self {
    case .int32(let value): Double(value)
    case .float(let value): Double(value)
    case .int64(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The text of type s or S; nil for every other type.
  public var text: String? {
    switch self {
    case .string(let value), .symbol(let value): value
    default: nil
    }
  }

  /// The number of bytes of this value in a message, without its type tag: always a multiple of 4.
  var encodedSize: Int {
    switch self {
    case .int32, .float, .character, .midi: 4
    case .int64, .double, .timeTag: 8
    case .string(let value), .symbol(let value): Self.stringSize(value.utf8.count)
    case .blob(let bytes): 4 + (bytes.count + 3) & ~3
    case .bool, .nil, .infinitum: 0
    }
  }

  /// Returns the size of a string of `count` bytes, with its closing zero and its padding to a multiple of 4.
  static func stringSize(_ count: Int) -> Int { (count / 4 + 1) * 4 }
}

extension OSCArgument: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral
{
  /// Creates an argument of type i from a whole number.
  public init(integerLiteral value: Int32) { self = .int32(value) }

  /// Creates an argument of type f, which every OSC program understands, from a number with a decimal point.
  public init(floatLiteral value: Float) { self = .float(value) }

  /// Creates an argument of type s from text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Creates an argument of type T or F from a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}
