import MoSessionCore
import Testing

@Suite("Installation keys")
struct InstallationKeyTests {
  @Test("a stored key is the same key; it signs, and another key's signature is not accepted as its own")
  func stored() throws {
    let (ada, bob) = (try InstallationKey(), try InstallationKey())
    let again = try #require(InstallationKey(stored: ada.stored))
    #expect(again.publicKey == ada.publicKey && again.installation == ada.installation)
    #expect(ada.installation != bob.installation)
    let text = Array("who may conduct".utf8)
    #expect(bob.isSigned(text, again.sign(text), by: ada.publicKey))
    #expect(!bob.isSigned(text, bob.sign(text), by: ada.publicKey))
    #expect(bob.installation(of: ada.publicKey) == ada.installation)
  }

  @Test(
    "a truncated or different file is not a key",
    arguments: [
      "", "\n", "momu-key 1 \n", "momu-key 2 " + String(repeating: "ab", count: 32) + "\n",
      "momu-key 1 " + String(repeating: "ab", count: 32),
      "momu-key 1 " + String(repeating: "ab", count: 31) + "\n",
      "momu-key 1 " + String(repeating: "ab", count: 33) + "\n",
      "momu-key 1 " + String(repeating: "xy", count: 32) + "\n",
    ])
  func malformed(text: String) {
    #expect(InstallationKey(stored: text) == nil)
  }

  @Test("the installation is the first 64 bits of the SHA-256 of its purpose and the public key")
  func number() throws {
    // The first public key of RFC 8032 § 7.1; the hash was made with another program:
    // (printf 'momu installation 1'; echo d75a… | xxd -r -p) | sha256sum
    let key = try #require(
      InstallationKey(
        stored: "momu-key 1 9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60\n"))
    #expect(key.installation == 0x2812_260d_763a_537d)
  }
}
