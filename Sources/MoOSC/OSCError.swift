/// An error: bytes that could not be read as OSC, or values that could not be written as OSC.
public enum OSCError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not OSC; the text is the reason, and `byte` is the position (from 0) of the wrong byte.
  case malformed(String, byte: Int)
  /// The values cannot be written as OSC; the text is the reason.
  case unsendable(String)

  /// The error message: what is wrong, and the position of the wrong byte.
  public var description: String {
    switch self {
    case .malformed(let what, let byte): "not OSC at byte \(byte): \(what)"
    case .unsendable(let what): "cannot be sent as OSC: \(what)"
    }
  }

  /// The error for a null pointer that liblo returns if no memory is left.
  static let outOfMemory = OSCError.unsendable("out of memory")
}
