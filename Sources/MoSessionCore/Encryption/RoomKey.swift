/// The key of a locked room, derived from the passkey and the room's name, and slow to guess.
///
/// The same passkey makes different keys in different rooms. To test one guess costs an attacker as much as joining
/// costs a member: 0.3 to 3 s of computing and 32 MiB of memory.
///
/// - Source: scrypt, C. Percival, RFC 7914; N = 2¹⁵, r = 8, p = 3. The cost equals the minimum that OWASP's Password
///   Storage Cheat Sheet recommends, with memory that fits a small board.
/// - Thread: any; a plain value.
package struct RoomKey: Sendable, Equatable {
  /// The number that stands for the room's name in datagrams: 64 bits derived from the name, also slow to guess.
  package let room: UInt64
  /// The secret from which every sender's key is derived.
  package let secret: [UInt8]

  private static let version = Array("momu sealed room 2".utf8)

  /// Creates a room's key; takes up to three seconds.
  ///
  /// Spaces before and after a passkey are ignored.
  ///
  /// - Throws: `SealingError`.
  package init(passkey: String, room: String) throws(SealingError) {
    let letters = passkey.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
    let bytes = Array(String(letters).utf8)
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= 200 else { throw .tooLong(bytes.count) }
    self.room = try Self.number(ofRoom: room)
    secret = try Self.stretch(bytes, salt: Self.version + Array(room.utf8), cost: 1 << 15, lanes: 3)
  }

  /// Returns the number that stands for a room's name, to check whether a locked room has this name.
  ///
  /// - Throws: `SealingError.noLibrary`, `noMemory`.
  package static func number(ofRoom room: String) throws(SealingError) -> UInt64 {
    try stretch(Array(room.utf8), salt: version + Array(" number".utf8), cost: 1 << 14, lanes: 1)
      .prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: stored for a restart after a crash

  /// The key as text: the room's number and the secret, in hexadecimal digits; it does not reveal the
  /// passkey.
  package var stored: String { Hexadecimal.digits(room.bigEndianBytes) + " " + Hexadecimal.digits(secret) }

  /// Parses the text of `stored`; nil for any other text.
  package init?(stored text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let number = Hexadecimal.bytes(words[0]), number.count == 8,
      let secret = Hexadecimal.bytes(words[1]), secret.count == Sodium.keySize
    else { return nil }
    (room, self.secret) = (UInt64(bigEndianBytes: number[...]), secret)
  }

  private static func stretch(
    _ password: [UInt8], salt: [UInt8], cost: UInt64, lanes: UInt32
  ) throws(SealingError) -> [UInt8] {
    guard let sodium = Sodium.loaded else { throw .noLibrary }
    let made = sodium.scrypt(password, salt: salt, cost: cost, blocks: 8, lanes: lanes, count: Sodium.keySize)
    guard let made else { throw .noMemory }
    return made
  }

  /// Returns the key with which the sender with the given number seals its datagrams.
  ///
  /// Each sender draws a new random number at each start, and so has a new key.
  func sender(_ number: UInt64, _ sodium: Sodium) -> [UInt8] {
    sodium.expand(secret, info: Self.version + Array(" sender".utf8) + number.bigEndianBytes)
  }
}

extension UInt64 {
  var bigEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) } }

  init(bigEndianBytes bytes: ArraySlice<UInt8>) { self = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

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

/// Bytes as hexadecimal digits, for keys in files.
enum Hexadecimal {
  static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Returns the bytes that pairs of hexadecimal digits stand for; nil for any other text.
  static func bytes(_ digits: Substring) -> [UInt8]? {
    let values = digits.compactMap(\.hexDigitValue)
    guard values.count == digits.utf8.count, values.count % 2 == 0 else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
