/// The key pair of an installation, which signs the installation's decisions and identifies the installation.
///
/// The installation's ID is derived from the public key. To claim the same ID with another key, an attacker must try
/// about 2⁶⁴ keys.
///
/// - Source: Ed25519, RFC 8032; SHA-256, FIPS 180-4.
/// - Thread: any; a plain value.
package struct InstallationKey: Sendable {
  /// The size of a public key, in bytes.
  package static let publicKeySize = Sodium.keySize
  /// The size of a signature, in bytes.
  package static let signatureSize = Sodium.signatureSize

  /// The key with which other installations check this installation's signatures.
  package let publicKey: [UInt8]
  private let privateKey: [UInt8]
  private let seed: [UInt8]
  private let sodium: Sodium

  /// Creates a new random key pair.
  ///
  /// - Throws: `SealingError.noLibrary`.
  package init() throws(SealingError) {
    guard let sodium = Sodium.loaded else { throw .noLibrary }
    self.init(seed: sodium.random(Sodium.seedSize), sodium)
  }

  init(seed: [UInt8], _ sodium: Sodium) {
    (self.seed, self.sodium) = (seed, sodium)
    (publicKey, privateKey) = sodium.keyPair(from: seed)
  }

  /// The installation's ID, never 0: the first 64 bits of a hash of the public key.
  package var installation: UInt64 { installation(of: publicKey) }

  /// Returns the ID of the installation to which a public key belongs.
  package func installation(of publicKey: [UInt8]) -> UInt64 {
    max(1, UInt64(bigEndianBytes: sodium.hash(Self.purpose + publicKey)[...]))
  }

  private static let purpose = Array("momu installation 1".utf8)

  /// Returns the signature of some bytes.
  ///
  /// To sign 1200 bytes took 53 µs on an AMD EPYC core.
  package func sign(_ bytes: [UInt8]) -> [UInt8] { sodium.sign(bytes, privateKey: privateKey) }

  /// Returns whether the owner of a public key made the signature of some bytes.
  ///
  /// The result is false if the signature or the key has a wrong size. To check 1200 bytes took 163 µs on an AMD EPYC
  /// core.
  package func isSigned(_ bytes: [UInt8], _ signature: [UInt8], by publicKey: [UInt8]) -> Bool {
    sodium.isSigned(bytes, signature, by: publicKey)
  }

  // MARK: stored on disk

  /// The key pair as text, for a file that only its owner can read: `momu-key 1` and the seed in hexadecimal digits.
  package var stored: String { "momu-key 1 " + Hexadecimal.digits(seed) + "\n" }

  /// Parses the text of `stored`; nil for any other text, or without libsodium.
  package init?(stored text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard text.hasSuffix("\n"), words.count == 3, words[0] == "momu-key", words[1] == "1",
      let seed = Hexadecimal.bytes(words[2].dropLast()), seed.count == Sodium.seedSize,
      let sodium = Sodium.loaded
    else { return nil }
    self.init(seed: seed, sodium)
  }
}
