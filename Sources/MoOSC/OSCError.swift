/// Why bytes could not be read as OSC, or values not be written as OSC.
public enum OSCError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The bytes are not OSC: what is wrong, and the byte (from 0) where it shows.
  case malformed(String, byte: Int)
  /// The values cannot be said in OSC: what is wrong with them.
  case unsendable(String)

  /// What is wrong, and where.
  public var description: String {
    switch self {
    case .malformed(let what, let byte): "not OSC at byte \(byte): \(what)"
    case .unsendable(let what): "cannot be sent as OSC: \(what)"
    }
  }

  /// What liblo's null pointers mean.
  static let outOfMemory = OSCError.unsendable("out of memory")
}
