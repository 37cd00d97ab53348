import MoCore
import MoOSC

/// A Swift value that `MoNet.send` can put into a message.
///
/// | Swift | sent as the OSC type |
/// |---|---|
/// | `Int` and other integers | `i`, or `h` if it needs more than 32 bits |
/// | `Float`, `Double` | `f`; for `d` write `OSCArgument.double(x)` |
/// | `Bool` | `T` or `F` |
/// | `String`, `Substring` | `s` |
/// | `[UInt8]` | `b` |
/// | `OSCTimeTag` | `t` |
/// | an optional | its value, or `N` |
/// | `OSCArgument` | unchanged |
public protocol OSCValue {
  /// The value as an OSC argument.
  var oscArgument: OSCArgument { get }
}

extension OSCArgument: OSCValue {
  /// The argument itself.
  public var oscArgument: OSCArgument { self }
}

extension OSCValue where Self: BinaryInteger {
  /// The value as type `i`, or as `h` if it needs more than 32 bits; a value beyond 64 bits is clamped.
  public var oscArgument: OSCArgument {
    Int32(exactly: self).map { .int32($0) } ?? .int64(Int64(clamping: self))
  }
}

extension Int: OSCValue {}
extension Int8: OSCValue {}
extension Int16: OSCValue {}
extension Int32: OSCValue {}
extension Int64: OSCValue {}
extension UInt: OSCValue {}
extension UInt8: OSCValue {}
extension UInt16: OSCValue {}
extension UInt32: OSCValue {}
extension UInt64: OSCValue {}

extension Float: OSCValue {
  /// The value as an argument of type `f`.
  public var oscArgument: OSCArgument { .float(self) }
}

extension Double: OSCValue {
  /// The value as type `f`, which every OSC program understands, in the precision of a `Float` (24 bits).
  public var oscArgument: OSCArgument { .float(Float(self)) }
}

extension Bool: OSCValue {
  /// The value as an OSC argument of type `T` (true) or `F` (false).
  public var oscArgument: OSCArgument { .bool(self) }
}

extension String: OSCValue {
  /// The text as an argument of type `s`.
  public var oscArgument: OSCArgument { .string(self) }
}

extension Substring: OSCValue {
  /// The text as an argument of type `s`.
  public var oscArgument: OSCArgument { .string(String(self)) }
}

extension [UInt8]: OSCValue {
  /// The bytes as an OSC blob, type tag `b`.
  public var oscArgument: OSCArgument { .blob(self) }
}

extension OSCTimeTag: OSCValue {
  /// The time as an argument of type `t`.
  public var oscArgument: OSCArgument { .timeTag(self) }
}

extension Optional: OSCValue where Wrapped: OSCValue {
  /// The wrapped value, or `N` for nil.
  public var oscArgument: OSCArgument { map(\.oscArgument) ?? .nil }
}

extension OSCMessage {
  /// Creates a message of any Swift values that OSC can represent.
  public init(_ address: String, values: [any OSCValue]) { self.init(address, values.map(\.oscArgument)) }
}
