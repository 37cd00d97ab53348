import MoOSC

/// A Swift value that a typed callback can take from a message.
///
/// | Swift | from |
/// |---|---|
/// | `Float`, `Double` | `f d i h`; `T` as 1, `F` as 0 |
/// | `Int`, `Int32` … | `i h`; `f d` where they are whole; `T F`; `c` |
/// | `Bool` | `T F`; numbers, of which only 0 is false |
/// | `String` | `s S`; `c` |
/// | `[UInt8]` | `b` |
/// | `OSCTimeTag` | `t` |
/// | `OSCArgument` | anything |
///
/// What does not fit makes the message a mismatch, which is counted, and told of once.
public protocol OSCReadable: Sendable {
  /// The value; nil where the argument is none such.
  init?(osc argument: OSCArgument)
}

extension OSCArgument: OSCReadable {
  /// Itself.
  public init?(osc argument: OSCArgument) { self = argument }
}

extension OSCArgument {
  /// A number or a truth as a number.
  @usableFromInline var asNumber: Double? {
    if case .bool(let truth) = self { return truth ? 1 : 0 }
    return number
  }
}

extension Double: OSCReadable {
  /// From `f d i h T F`.
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
  /// From `f d i h T F`, rounded to 24 bits.
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
  /// From `i h c T F`, and `f d` where they are whole; nil where it does not fit.
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
  /// From `T F`, and numbers, of which only 0 is false.
  public init?(osc argument: OSCArgument) {
    guard let number = argument.asNumber else { return nil }
    self = number != 0
  }
}

extension String: OSCReadable {
  /// From `s S c`.
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
  /// From `b`.
  public init?(osc argument: OSCArgument) {
    guard case .blob(let bytes) = argument else { return nil }
    self = bytes
  }
}

extension OSCTimeTag: OSCReadable {
  /// From `t`.
  public init?(osc argument: OSCArgument) {
    guard case .timeTag(let tag) = argument else { return nil }
    self = tag
  }
}
