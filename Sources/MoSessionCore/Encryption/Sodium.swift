import Glibc

/// The functions of libsodium that MoMu uses, loaded at run time if the library is installed, never linked.
///
/// - Source: <https://doc.libsodium.org/>, version 1.0.18 and later.
/// - Thread: any.
package struct Sodium: Sendable {
  private typealias Bytes = UnsafePointer<UInt8>
  private typealias Room = UnsafeMutablePointer<UInt8>
  private typealias Start = @convention(c) () -> Int32
  private typealias Stretch =
    @convention(c) (Bytes?, Int, Bytes?, Int, UInt64, UInt32, UInt32, Room?, Int) -> Int32
  private typealias HashStart = @convention(c) (UnsafeMutableRawPointer, Bytes?, Int) -> Int32
  private typealias HashMore = @convention(c) (UnsafeMutableRawPointer, Bytes?, UInt64) -> Int32
  private typealias HashEnd = @convention(c) (UnsafeMutableRawPointer, Room) -> Int32
  private typealias HashSize = @convention(c) () -> Int
  private typealias Crypt =
    @convention(c) (
      Room?, UnsafeMutablePointer<UInt64>?, Bytes?, UInt64, Bytes?, UInt64, Bytes?, Bytes, Bytes
    ) -> Int32
  private typealias Uncrypt =
    @convention(c) (
      Room?, UnsafeMutablePointer<UInt64>?, Room?, Bytes?, UInt64, Bytes?, UInt64, Bytes, Bytes
    ) -> Int32
  private typealias MakePair = @convention(c) (Room, Room, Bytes) -> Int32
  private typealias Sign =
    @convention(c) (Room, UnsafeMutablePointer<UInt64>?, Bytes?, UInt64, Bytes) -> Int32
  private typealias Verify = @convention(c) (Bytes, Bytes?, UInt64, Bytes) -> Int32
  private typealias Hash = @convention(c) (Room, Bytes?, UInt64) -> Int32
  private typealias Fill = @convention(c) (UnsafeMutableRawPointer, Int) -> Void

  private let stretch: Stretch
  private let hashStart: HashStart
  private let hashMore: HashMore
  private let hashEnd: HashEnd
  private let hashSize: Int
  private let crypt: Crypt
  private let uncrypt: Uncrypt
  private let fill: Fill
  private let makePair: MakePair
  private let signing: Sign
  private let verifying: Verify
  private let hashing: Hash

  /// The number of bytes that sealing adds to a text.
  static let tagSize = 16
  static let keySize = 32
  /// The sizes of an Ed25519 signature, of a private key with its public key, and of a seed, in bytes.
  static let signatureSize = 64
  static let privateKeySize = 64
  static let seedSize = 32

  /// The library, which stays loaded; nil if it is not installed.
  package static let loaded = Sodium(names: ["libsodium.so.23", "libsodium.so.26", "libsodium.so"])

  package init?(names: [String]) {
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else { return nil }
    func function<Function>(_ name: String, as kind: Function.Type) -> Function? {
      dlsym(library, name).map { unsafeBitCast($0, to: kind) }
    }
    guard let start = function("sodium_init", as: Start.self), start() >= 0,
      let stretch = function("crypto_pwhash_scryptsalsa208sha256_ll", as: Stretch.self),
      let hashStart = function("crypto_auth_hmacsha256_init", as: HashStart.self),
      let hashMore = function("crypto_auth_hmacsha256_update", as: HashMore.self),
      let hashEnd = function("crypto_auth_hmacsha256_final", as: HashEnd.self),
      let hashSize = function("crypto_auth_hmacsha256_statebytes", as: HashSize.self),
      let crypt = function("crypto_aead_chacha20poly1305_ietf_encrypt", as: Crypt.self),
      let uncrypt = function("crypto_aead_chacha20poly1305_ietf_decrypt", as: Uncrypt.self),
      let fill = function("randombytes_buf", as: Fill.self),
      let makePair = function("crypto_sign_seed_keypair", as: MakePair.self),
      let signing = function("crypto_sign_detached", as: Sign.self),
      let verifying = function("crypto_sign_verify_detached", as: Verify.self),
      let hashing = function("crypto_hash_sha256", as: Hash.self)
    else { return nil }
    (self.makePair, self.signing, self.verifying, self.hashing) = (makePair, signing, verifying, hashing)
    (self.stretch, self.crypt, self.uncrypt, self.fill) = (stretch, crypt, uncrypt, fill)
    (self.hashStart, self.hashMore, self.hashEnd, self.hashSize) = (hashStart, hashMore, hashEnd, hashSize())
  }

  /// Derives bytes from a password; nil if the memory for this (128 · `cost` · `blocks` bytes) is not available.
  ///
  /// - Source: scrypt, C. Percival, RFC 7914.
  package func scrypt(
    _ password: [UInt8], salt: [UInt8], cost: UInt64, blocks: UInt32, lanes: UInt32, count: Int
  ) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = stretch(password, password.count, salt, salt.count, cost, blocks, lanes, &bytes, count)
    return result == 0 ? bytes : nil
  }

  /// Returns the HMAC-SHA-256 of a text under a key, 32 bytes.
  package func code(_ text: [UInt8], key: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    withUnsafeTemporaryAllocation(byteCount: hashSize, alignment: 64) { state in
      guard let base = state.baseAddress else { return }
      _ = hashStart(base, key, key.count)
      _ = hashMore(base, text, UInt64(text.count))
      _ = hashEnd(base, &bytes)
      // Erased, because the key could be recovered from this memory.
      fill(base, hashSize)
    }
    return bytes
  }

  /// Derives 32 bytes from a key, for the purpose that `info` names.
  ///
  /// - Source: HKDF-Expand's first block, RFC 5869 § 2.3; the key comes from scrypt and needs no extraction (§ 3.3).
  package func expand(_ key: [UInt8], info: [UInt8]) -> [UInt8] { code(info + [1], key: key) }

  /// Encrypts a text under a key and appends a tag; `header` is authenticated but not encrypted.
  ///
  /// - Source: ChaCha20-Poly1305, RFC 8439.
  package func seal(_ text: [UInt8], header: [UInt8], nonce: [UInt8], key: [UInt8]) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: text.count + Self.tagSize)
    _ = crypt(&sealed, nil, text, UInt64(text.count), header, UInt64(header.count), nil, nonce, key)
    return sealed
  }

  /// Decrypts a sealed text; nil if the text or the header was changed, or if the key or the nonce is wrong.
  package func open(_ sealed: ArraySlice<UInt8>, header: [UInt8], nonce: [UInt8], key: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.tagSize else { return nil }
    var text = [UInt8](repeating: 0, count: sealed.count - Self.tagSize)
    let result = sealed.withUnsafeBufferPointer { sealed in
      uncrypt(
        &text, nil, nil, sealed.baseAddress, UInt64(sealed.count), header, UInt64(header.count), nonce, key)
    }
    return result == 0 ? text : nil
  }

  // MARK: signatures

  /// Derives an Ed25519 key pair from a seed of 32 bytes.
  ///
  /// - Source: RFC 8032 § 5.1.5.
  package func keyPair(from seed: [UInt8]) -> (publicKey: [UInt8], privateKey: [UInt8]) {
    var publicKey = [UInt8](repeating: 0, count: Self.keySize)
    var privateKey = [UInt8](repeating: 0, count: Self.privateKeySize)
    _ = makePair(&publicKey, &privateKey, seed)
    return (publicKey, privateKey)
  }

  /// Returns the signature of a text, 64 bytes.
  ///
  /// - Source: Ed25519, RFC 8032 § 5.1.6.
  package func sign(_ text: [UInt8], privateKey: [UInt8]) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Self.signatureSize)
    _ = signing(&signature, nil, text, UInt64(text.count), privateKey)
    return signature
  }

  /// Returns whether a signature of a text was made with the private key of a public key; false for wrong
  /// sizes.
  ///
  /// - Source: Ed25519, RFC 8032 § 5.1.7.
  package func isSigned(_ text: [UInt8], _ signature: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard signature.count == Self.signatureSize, publicKey.count == Self.keySize else { return false }
    return verifying(signature, text, UInt64(text.count), publicKey) == 0
  }

  /// Returns the hash of a text, 32 bytes.
  ///
  /// - Source: SHA-256, FIPS 180-4.
  package func hash(_ text: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    _ = hashing(&bytes, text, UInt64(text.count))
    return bytes
  }

  /// Returns the given number of random bytes that cannot be guessed.
  func random(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    fill(&bytes, count)
    return bytes
  }
}
