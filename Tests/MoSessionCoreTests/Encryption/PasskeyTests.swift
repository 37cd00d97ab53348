import MoSessionCore
import Testing

@Suite("Passkeys")
struct PasskeyTests {
  @Test("generated ones are pronounceable, different and long enough")
  func made() throws {
    let made = try (0..<1000).map { _ in try Passkey.make() }
    #expect(Set(made).count == 1000)
    for key in made {
      #expect(
        key.wholeMatch(of: /([bdfghjklmnprstvz][aeiou][bdfghjklmnprstvz][aeiou]-){3}([b-z][aeiou]){2}/) != nil
      )
      #expect(Passkey.warning(key) == nil)
    }
    // Every letter occurs about equally often: 8 of 16 consonants per key, so 500 each in a thousand keys.
    let letters = made.joined().filter { !"aeiou-".contains($0) }
    for letter in "bdfghjklmnprstvz" { #expect((380...620).contains(letters.count { $0 == letter })) }
  }

  @Test(
    "short ones, number sequences, and a word with a year give a warning",
    arguments: [
      "1234", "0123456789", "aaaaaaaaaaaa", "abcdefghijkl", "lab", "Lab2026", "mozart1791", "stanford2024",
      "orchestra1", "Password123!", "laptoporchestra",
    ])
  func weak(passkey: String) {
    #expect(
      Passkey.warning(passkey)
        == "this passkey is easy to guess from a recording of the room: momu session key makes a strong one")
  }

  @Test(
    "long ones without a word, and four words, give no warning",
    arguments: ["correct horse battery staple", "x7Kq2-9vRt4w", "tolu-rake-bimo-sefa", "83915502748136"])
  func strong(passkey: String) { #expect(Passkey.warning(passkey) == nil) }

  @Test("invalid ones give an error with what to do")
  func errors() {
    #expect(throws: SealingError.empty) { try RoomKey(passkey: "  ", room: "Lab") }
    #expect(throws: SealingError.tooLong(201)) {
      try RoomKey(passkey: String(repeating: "x", count: 201), room: "Lab")
    }
    #expect(Sodium(names: ["libnowhere.so"]) == nil)
    #expect(
      SealingError.noLibrary.description
        == "a locked room needs libsodium, which is not installed: install libsodium23 (apt install libsodium23), or leave "
        + "out --passkey")
  }
}
