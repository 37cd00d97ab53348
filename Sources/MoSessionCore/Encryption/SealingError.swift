/// A reason why a room cannot be locked; its text says what to do.
public enum SealingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libsodium is not installed.
  case noLibrary
  /// There is not enough memory to derive a key.
  case noMemory
  /// The passkey is empty.
  case empty
  /// The passkey is longer than 200 bytes; the value is its length in bytes.
  case tooLong(Int)

  /// The error text: what happened and what to do.
  public var description: String {
    switch self {
    case .noLibrary:
      "a locked room needs libsodium, which is not installed: install libsodium23 (apt install libsodium23), or leave out "
        + "--passkey"
    case .noMemory: "not enough memory for the room's key (32 MiB): end other programs and try again"
    case .empty: "the passkey is empty: choose one, or type momu session key"
    case .tooLong(let count): "a passkey of \(count) bytes is too long: the limit is 200"
    }
  }
}
