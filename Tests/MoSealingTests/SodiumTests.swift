import Testing

@testable import MoSealing

/// Bytes from their digits.
func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

@Suite("libsodium, as the specifications say")
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

  @Test("ChaCha20-Poly1305: RFC 8439 § 2.8.2; nothing opens what was changed")
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
}
