/// The key pair of an installation: signs what the installation decides, and names it.
///
/// The installation's number is made from the public key. So another key cannot claim the number, short of trying 2⁶⁴
/// keys.
///
/// - Source: Ed25519, RFC 8032; SHA-256, FIPS 180-4.
/// - Thread: any; a plain value.
public struct InstallationKey: Sendable {
  /// Bytes of a public key.
  public static let publicKeySize = Sodium.keySize
  /// Bytes of a signature.
  public static let signatureSize = Sodium.signatureSize

  /// What others check signatures with.
  public let publicKey: [UInt8]
  private let privateKey: [UInt8]
  private let seed: [UInt8]
  private let sodium: Sodium

  /// Makes a new key pair at random.
  ///
  /// - Throws: `SealingError.noLibrary`.
  public init() throws(SealingError) {
    guard let sodium = Sodium.loaded else { throw .noLibrary }
    self.init(seed: sodium.random(Sodium.seedSize), sodium)
  }

  init(seed: [UInt8], _ sodium: Sodium) {
    (self.seed, self.sodium) = (seed, sodium)
    (publicKey, privateKey) = sodium.keyPair(from: seed)
  }

  /// The installation's number, never 0: the first 64 bits of a hash of the public key.
  public var installation: UInt64 { installation(of: publicKey) }

  /// The number of the installation that another public key belongs to.
  public func installation(of publicKey: [UInt8]) -> UInt64 {
    max(1, UInt64(bigEndianBytes: sodium.hash(Self.purpose + publicKey)[...]))
  }

  private static let purpose = Array("momu installation 1".utf8)

  /// The signature of some bytes.
  ///
  /// Took 53 µs for 1200 bytes on an AMD EPYC core.
  public func sign(_ bytes: [UInt8]) -> [UInt8] { sodium.sign(bytes, privateKey: privateKey) }

  /// Whether a signature is of some bytes, by the owner of a public key; false for wrong sizes.
  ///
  /// Took 163 µs for 1200 bytes on an AMD EPYC core.
  public func isSigned(_ bytes: [UInt8], _ signature: [UInt8], by publicKey: [UInt8]) -> Bool {
    sodium.isSigned(bytes, signature, by: publicKey)
  }

  // MARK: kept on disk

  /// The key as text for a file that its owner alone may read.
  package var kept: String { "momu-key 1 " + Hexadecimal.digits(seed) + "\n" }

  /// Reads what `kept` wrote; nil for any other text, or without libsodium.
  package init?(kept text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard text.hasSuffix("\n"), words.count == 3, words[0] == "momu-key", words[1] == "1",
      let seed = Hexadecimal.bytes(words[2].dropLast()), seed.count == Sodium.seedSize,
      let sodium = Sodium.loaded
    else { return nil }
    self.init(seed: seed, sodium)
  }
}
