/// An error: bytes that could not be read as OSC, or values that could not be written as OSC.
public enum OSCError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not OSC, with the reason and the position (from 0) of the wrong byte.
  case malformed(String, byte: Int)
  /// The values cannot be written as OSC, with the reason.
  case unsendable(String)

  /// The error message: what is wrong, and the position.
  public var description: String {
    switch self {
    case .malformed(let what, let byte): "not OSC at byte \(byte): \(what)"
    case .unsendable(let what): "cannot be sent as OSC: \(what)"
    }
  }

  /// The error that a null pointer from liblo means.
  static let outOfMemory = OSCError.unsendable("out of memory")
}
