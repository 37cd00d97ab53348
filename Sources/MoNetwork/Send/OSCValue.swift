import MoCore
import MoOSC

/// A Swift value that `MoNet.send` can put into a message.
///
/// | Swift | sent as |
/// |---|---|
/// | `Int` and its kin | `i`, or `h` where 32 bits do not hold it |
/// | `Float`, `Double` | `f`; for `d` write `OSCArgument.double(x)` |
/// | `Bool` | `T` or `F` |
/// | `String`, `Substring` | `s` |
/// | `[UInt8]` | `b` |
/// | `OSCTimeTag` | `t` |
/// | an optional | its value, or `N` |
/// | `OSCArgument` | itself |
public protocol OSCValue {
  /// The value as it is sent.
  var oscArgument: OSCArgument { get }
}

extension OSCArgument: OSCValue {
  /// Itself.
  public var oscArgument: OSCArgument { self }
}

extension OSCValue where Self: BinaryInteger {
  /// `i`, or `h` where 32 bits do not hold it; beyond 64 bits, the nearest there is.
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
  /// `f`.
  public var oscArgument: OSCArgument { .float(self) }
}

extension Double: OSCValue {
  /// `f`, which every OSC program understands, rounded to 24 bits.
  public var oscArgument: OSCArgument { .float(Float(self)) }
}

extension Bool: OSCValue {
  /// `T` or `F`.
  public var oscArgument: OSCArgument { .bool(self) }
}

extension String: OSCValue {
  /// `s`.
  public var oscArgument: OSCArgument { .string(self) }
}

extension Substring: OSCValue {
  /// `s`.
  public var oscArgument: OSCArgument { .string(String(self)) }
}

extension [UInt8]: OSCValue {
  /// `b`.
  public var oscArgument: OSCArgument { .blob(self) }
}

extension OSCTimeTag: OSCValue {
  /// `t`.
  public var oscArgument: OSCArgument { .timeTag(self) }
}

extension Optional: OSCValue where Wrapped: OSCValue {
  /// The value, or `N`.
  public var oscArgument: OSCArgument { map(\.oscArgument) ?? .nil }
}

extension OSCMessage {
  /// A message of any Swift values that OSC can say.
  public init(_ address: String, values: [any OSCValue]) { self.init(address, values.map(\.oscArgument)) }
}
