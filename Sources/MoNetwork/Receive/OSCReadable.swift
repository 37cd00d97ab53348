import MoOSC

/// A Swift value that a typed callback can receive from a message.
///
/// | Swift | from the OSC types |
/// |---|---|
/// | `Float`, `Double` | `f d i h`; `T` as 1, `F` as 0 |
/// | `Int`, `Int32` … | `i h`; `f d` if they are whole; `T F`; `c` |
/// | `Bool` | `T F`; numbers, of which only 0 is false |
/// | `String` | `s S`; `c` |
/// | `[UInt8]` | `b` |
/// | `OSCTimeTag` | `t` |
/// | `OSCArgument` | all types |
///
/// If a value does not fit, the message is counted as mismatched. Only the first mismatch of a callback is reported.
public protocol OSCReadable: Sendable {
  /// Creates the value from an OSC argument; nil if the argument does not convert to this type.
  init?(osc argument: OSCArgument)
}

extension OSCArgument: OSCReadable {
  /// Creates a copy of the argument, whatever its type.
  public init?(osc argument: OSCArgument) { self = argument }
}

extension OSCArgument {
  /// The value of a number or boolean as a number (true is 1, false is 0); nil for other types.
  @usableFromInline var asNumber: Double? {
    if case .bool(let truth) = self { return truth ? 1 : 0 }
    return number
  }
}

extension Double: OSCReadable {
  /// Creates the value from an argument of type `f d i h T F`.
  @inlinable
  public init?(osc argument: OSCArgument) {
    if case .float(let value) = argument {
      self = Double(value)
      return
    }
    guard let number = argument.asNumber else { return nil }
    self = number
  }
}

extension Float: OSCReadable {
  /// Creates the value from an argument of type `f d i h T F`, rounded to the precision of a `Float` (24 bits).
  @inlinable
  public init?(osc argument: OSCArgument) {
    if case .float(let value) = argument {
      self = value
      return
    }
    guard let number = argument.asNumber else { return nil }
    self = Float(number)
  }
}

extension OSCReadable where Self: FixedWidthInteger {
  /// Creates the integer from type `i h c T F`, or from a whole number of type `f d`; nil if the number does not fit.
  @inlinable
  public init?(osc argument: OSCArgument) {
    let value: Self?
    switch argument {
    case .int32(let number): value = Self(exactly: number)
    case .int64(let number): value = Self(exactly: number)
    case .character(let code): value = Self(exactly: code)
    default: value = argument.asNumber.flatMap { Self(exactly: $0) }
    }
    guard let value else { return nil }
    self = value
  }
}

extension Int: OSCReadable {}
extension Int8: OSCReadable {}
extension Int16: OSCReadable {}
extension Int32: OSCReadable {}
extension Int64: OSCReadable {}
extension UInt: OSCReadable {}
extension UInt8: OSCReadable {}
extension UInt16: OSCReadable {}
extension UInt32: OSCReadable {}
extension UInt64: OSCReadable {}

extension Bool: OSCReadable {
  /// Creates the value from an argument of type `T F`, or from a number, of which only 0 is false.
  public init?(osc argument: OSCArgument) {
    guard let number = argument.asNumber else { return nil }
    self = number != 0
  }
}

extension String: OSCReadable {
  /// Creates the value from an argument of type `s S c`.
  public init?(osc argument: OSCArgument) {
    if case .character(let code) = argument {
      self = String(Character(Unicode.Scalar(code)))
      return
    }
    guard let text = argument.text else { return nil }
    self = text
  }
}

extension [UInt8]: OSCReadable {
  /// Creates the value from an argument of type `b`.
  public init?(osc argument: OSCArgument) {
    guard case .blob(let bytes) = argument else { return nil }
    self = bytes
  }
}

extension OSCTimeTag: OSCReadable {
  /// Creates the value from an argument of type `t`.
  public init?(osc argument: OSCArgument) {
    guard case .timeTag(let tag) = argument else { return nil }
    self = tag
  }
}
