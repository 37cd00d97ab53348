import MoSessionCore
import Testing

/// Returns bytes from hexadecimal digits.
func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

@Suite("libsodium against the specifications")
struct SodiumTests {
  private let sodium: Sodium

  init() throws { sodium = try #require(Sodium.loaded) }

  @Test("scrypt: RFC 7914 § 12")
  func scrypt() {
    let first = sodium.scrypt(
      Array("password".utf8), salt: Array("NaCl".utf8), cost: 1024, blocks: 8, lanes: 16, count: 64)
    #expect(
      first
        == bytes(
          "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
            + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"))
    let second = sodium.scrypt(
      Array("pleaseletmein".utf8), salt: Array("SodiumChloride".utf8), cost: 16384, blocks: 8, lanes: 1,
      count: 64)
    #expect(
      second
        == bytes(
          "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
            + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"))
  }

  @Test("HMAC-SHA-256: RFC 4231 § 4.3; HKDF's expansion: RFC 5869 § A.1")
  func codes() {
    #expect(
      sodium.code(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
    #expect(
      sodium.expand(
        bytes("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"),
        info: bytes("f0f1f2f3f4f5f6f7f8f9"))
        == bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"))
  }

  @Test("ChaCha20-Poly1305: RFC 8439 § 2.8.2; changed data does not open")
  func sealing() {
    let text = Array(
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
        .utf8)
    let header = bytes("50515253c0c1c2c3c4c5c6c7")
    let nonce = bytes("070000004041424344454647")
    let key = (0x80...0x9F).map { UInt8($0) }
    let sealed = sodium.seal(text, header: header, nonce: nonce, key: key)
    #expect(
      sealed
        == bytes(
          "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b"
            + "1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
            + "3ff4def08e4b7a9de576d26586cec64b6116" + "1ae10b594f09e26a7e902ecbd0600691"))
    #expect(sodium.open(sealed[...], header: header, nonce: nonce, key: key) == text)
    for place in sealed.indices {
      var changed = sealed
      changed[place] ^= 1
      #expect(sodium.open(changed[...], header: header, nonce: nonce, key: key) == nil)
    }
    #expect(sodium.open(sealed[...], header: [], nonce: nonce, key: key) == nil)
    #expect(sodium.open(sealed.dropLast(), header: header, nonce: nonce, key: key) == nil)
    #expect(sodium.open([], header: header, nonce: nonce, key: key) == nil)
  }

  @Test("Ed25519: RFC 8032 § 7.1, tests 1, 2, 3 and SHA(abc)", arguments: Ed25519Vector.all)
  func signatures(vector: Ed25519Vector) {
    let pair = sodium.keyPair(from: bytes(vector.secret))
    #expect(pair.publicKey == bytes(vector.publicKey))
    let (text, signature) = (bytes(vector.message), bytes(vector.signature))
    #expect(sodium.sign(text, privateKey: pair.privateKey) == signature)
    #expect(sodium.isSigned(text, signature, by: pair.publicKey))
    #expect(!sodium.isSigned(text + [0], signature, by: pair.publicKey))
    for place in stride(from: 0, to: 64, by: 7) {
      var changed = signature
      changed[place] ^= 1
      #expect(!sodium.isSigned(text, changed, by: pair.publicKey))
    }
    #expect(!sodium.isSigned(text, signature.dropLast(), by: pair.publicKey))
    #expect(!sodium.isSigned(text, signature, by: []))
  }

  @Test("SHA-256: FIPS 180-4's example of one block")
  func hash() {
    #expect(
      sodium.hash(Array("abc".utf8))
        == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
  }
}

/// A test vector of RFC 8032.
struct Ed25519Vector: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let secret: String
  let publicKey: String
  let message: String
  let signature: String

  static let all = [
    Ed25519Vector(
      testDescription: "1", secret: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", message: "",
      signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    Ed25519Vector(
      testDescription: "2", secret: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", message: "72",
      signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    Ed25519Vector(
      testDescription: "3", secret: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", message: "af82",
      signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
    Ed25519Vector(
      testDescription: "SHA(abc)",
      secret: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
      publicKey: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
      message: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
      signature: "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b589"
        + "09351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704"),
  ]
}
