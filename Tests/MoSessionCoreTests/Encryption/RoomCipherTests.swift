import MoCore
import MoSessionCore
import Testing

/// A `RoomCipher` that `#expect` can change.
private final class TestCipher {
  private var cipher: RoomCipher

  init(_ key: RoomKey) throws { cipher = try RoomCipher(key) }

  var counts: SealedCounts { cipher.counts }

  func seal(_ text: [UInt8], isBroadcast: Bool = false) -> [UInt8] {
    cipher.seal(text, isBroadcast: isBroadcast)
  }

  func open(_ bytes: [UInt8], at now: HostTime) -> RoomCipher.Opened { cipher.open(bytes, at: now) }
}

@Suite("A locked room")
struct SealedRoomTests {
  private static let key = try? RoomKey(passkey: "tolu-rake-bimo-sefa", room: "Lab")
  private let key: RoomKey
  private let now = HostTime(seconds: 100)

  init() throws { key = try #require(Self.key) }

  /// Two rooms that have answered each other's questions.
  private func connected() throws -> (TestCipher, TestCipher) {
    let (a, b) = (try TestCipher(key), try TestCipher(key))
    _ = exchange(a, b, a.seal(text("hello")))
    return (a, b)
  }

  private func text(_ words: String) -> [UInt8] { Array(words.utf8) }

  /// Carries a datagram from a to b, and all replies to and fro; returns the received texts in order.
  private func exchange(_ a: TestCipher, _ b: TestCipher, _ datagram: [UInt8]) -> [String] {
    var heard: [String] = []
    var waiting = [(bytes: datagram, isToB: true)]
    var count = 0
    while !waiting.isEmpty, count < 20 {
      let next = waiting.removeFirst()
      count += 1
      let opened = next.isToB ? b.open(next.bytes, at: now) : a.open(next.bytes, at: now)
      if let text = opened.text {
        heard.append((next.isToB ? "b: " : "a: ") + String(decoding: text, as: UTF8.self))
      }
      waiting += opened.replies.map { ($0, !next.isToB) }
    }
    #expect(count < 20)
    return heard
  }

  @Test("only the addressee answers a question; other members and restarted programs do not")
  func addressed() throws {
    let (a, b, again) = (try TestCipher(key), try TestCipher(key), try TestCipher(key))
    let questions = b.open(a.seal(text("hello")), at: now).replies
    #expect(questions.count == 1)
    #expect(again.open(questions[0], at: now).replies.isEmpty)
    #expect(a.open(questions[0], at: now).replies.count == 1)
  }

  @Test("a sender that has answered no question receives at most twice the bytes sent in its name")
  func amplification() throws {
    let (a, b) = (try TestCipher(key), try TestCipher(key))
    _ = b.seal([UInt8](repeating: 7, count: 400), isBroadcast: true)
    let hello = a.seal([])
    let questions = b.open(hello, at: now).replies
    #expect(questions.reduce(0) { $0 + $1.count } <= 2 * hello.count)
    // A recording of b's question to a, sent again from another address.
    let answers = a.open(questions[0], at: now).replies
    #expect(!answers.isEmpty && answers.reduce(0) { $0 + $1.count } <= 2 * questions[0].count)
  }

  @Test(
    "a stored key opens what the original key seals, and other text gives no key")
  func stored() throws {
    let again = try #require(RoomKey(stored: key.stored))
    let (a, b) = (try TestCipher(key), try TestCipher(again))
    _ = b.seal(text("b is here"), isBroadcast: true)
    #expect(
      exchange(a, b, a.seal(text("a is here"), isBroadcast: true)).sorted() == [
        "a: b is here", "b: a is here",
      ])
    #expect(!key.stored.contains("tolu"))
    for wrong in [
      "", " ", key.stored + "0", String(key.stored.dropLast()), key.stored + " ",
      "x" + key.stored.dropFirst(),
    ] {
      #expect(RoomKey(stored: wrong) == nil)
    }
  }

  @Test("two rooms with one key meet through one broadcast, and each receives the other's last one once")
  func meeting() throws {
    let (a, b) = (try TestCipher(key), try TestCipher(key))
    _ = b.seal(text("b is here"), isBroadcast: true)
    let call = a.seal(text("a is here"), isBroadcast: true)
    #expect(exchange(a, b, call).sorted() == ["a: b is here", "b: a is here"])
    let more = a.seal(text("and now?"))
    #expect(exchange(a, b, more) == ["b: and now?"])
    #expect(a.counts.forged == 0 && b.counts.forged == 0 && b.counts.replayed == 0)
  }

  @Test("a datagram is 44 bytes longer, and does not contain the room, the text or the passkey")
  func hidden() throws {
    let (a, b) = try connected()
    let secret = text("/momu/session/hello Lab Anna tolu-rake-bimo-sefa")
    let sealed = a.seal(secret)
    #expect(sealed.count == secret.count + 44)
    #expect(RoomCipher.isSealed(sealed) && RoomCipher.room(of: sealed) == key.room)
    for word in ["Lab", "Anna", "tolu", "/momu", "hello"] { #expect(!contains(sealed, text(word))) }
    #expect(b.open(sealed, at: now).text == secret)
    #expect(a.seal(secret) != sealed)
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    (0...bytes.count - part.count).contains { Array(bytes[$0..<$0 + part.count]) == part }
  }

  @Test("every bit counts: a datagram changed anywhere is dropped")
  func changed() throws {
    let (a, b) = try connected()
    let sealed = a.seal(text("louder"))
    for place in sealed.indices {
      for bit in 0..<8 {
        var other = sealed
        other[place] ^= 1 << bit
        #expect(b.open(other, at: now).text == nil)
      }
    }
    for count in 0..<sealed.count { #expect(b.open(Array(sealed.prefix(count)), at: now).text == nil) }
    #expect(b.counts.replayed == 0)
    // The changed copies did no harm: the original is still accepted.
    #expect(b.open(sealed, at: now).text == text("louder"))
  }

  @Test(
    "another passkey, or the same in another room, is refused, and is not confused with another room")
  func otherKey() throws {
    let (_, b) = try connected()
    let wrong = try TestCipher(RoomKey(passkey: "tolu-rake-bimo-sefu", room: "Lab"))
    let opened = b.open(wrong.seal(text("hello")), at: now)
    #expect(opened.text == nil && opened.replies.isEmpty && opened.hasOtherKey)
    let elsewhere = try TestCipher(RoomKey(passkey: "tolu-rake-bimo-sefa", room: "Hall"))
    let other = b.open(elsewhere.seal(text("hello")), at: now)
    #expect(other.text == nil && other.replies.isEmpty && !other.hasOtherKey)
    #expect(b.counts.forged == 1 && b.counts.foreign == 1)
    #expect(try RoomKey.number(ofRoom: "Lab") == key.room)
    // Spaces at the ends come from copying.
    let spaced = try RoomKey(passkey: " tolu-rake-bimo-sefa\n", room: "Lab")
    #expect(spaced.secret == key.secret)
  }

  @Test("a replay of a whole evening is not accepted, even by a member that was not there")
  func recording() throws {
    let (a, b) = (try TestCipher(key), try TestCipher(key))
    var tape: [[UInt8]] = []
    var waiting = [(a.seal(text("hello"), isBroadcast: true), true)]
    while !waiting.isEmpty {
      let (bytes, isToB) = waiting.removeFirst()
      tape.append(bytes)
      waiting += (isToB ? b.open(bytes, at: now) : a.open(bytes, at: now)).replies.map { ($0, !isToB) }
    }
    for number in 0..<300 {
      tape.append(a.seal(text("note \(number)")))
      #expect(b.open(tape.last ?? [], at: now).text != nil)
    }
    let before = b.counts
    for bytes in tape { #expect(b.open(bytes, at: now).text == nil) }
    #expect(b.counts.accepted == before.accepted)
    let newcomer = try TestCipher(key)
    for second in [0.0, 1, 20, 100_000] {
      for bytes in tape {
        #expect(newcomer.open(bytes, at: now.advanced(bySeconds: second)).text == nil)
      }
    }
    #expect(newcomer.counts.accepted == 0)
  }

  @Test("accepts reordering up to 127 datagrams, without replays")
  func order() throws {
    let (a, b) = try connected()
    let sent = (0..<128).map { a.seal(text("\($0)")) }
    for bytes in sent.reversed() { #expect(b.open(bytes, at: now).text != nil) }
    for bytes in sent { #expect(b.open(bytes, at: now).text == nil) }
    let late = a.seal(text("late"))
    for _ in 0..<128 { _ = b.open(a.seal(text("x")), at: now) }
    #expect(b.open(late, at: now).text == nil)
  }

  @Test("drops a million datagrams of strangers, stores nothing more, and answers few")
  func unknownSenders() throws {
    let (a, b) = try connected()
    let wrong = try TestCipher(RoomKey(passkey: "1234", room: "Lab"))
    let tape = (0..<100).map { a.seal(text("note \($0)")) }
    for bytes in tape { _ = b.open(bytes, at: now) }
    let before = b.counts
    var random = SystemRandomNumberGenerator()
    var forged = wrong.seal(text("mine"))
    var (replies, texts) = (0, 0)
    for round in 0..<1_000_000 {
      let bytes: [UInt8]
      switch round % 4 {
      case 0: bytes = tape[round / 4 % 100]
      case 1:
        // Another sender each time, as far as the room can see.
        for place in 12..<28 { forged[place] = UInt8.random(in: 0...255, using: &random) }
        bytes = forged
      case 2:
        var changed = tape[round / 4 % 100]
        changed[Int.random(in: 28..<changed.count, using: &random)] ^= 0x10
        bytes = changed
      default: bytes = Array("/momu/session/hello\0,s\0\0Lab\0".utf8)
      }
      let opened = b.open(bytes, at: now)
      if opened.text != nil { texts += 1 }
      replies += opened.replies.count
    }
    #expect(texts == 0 && replies == 0)
    #expect(b.counts.accepted == before.accepted)
    #expect(b.counts.replayed == before.replayed + 250_000)
    #expect(b.counts.forged == before.forged + 500_000)
    #expect(b.counts.foreign == before.foreign + 250_000)
    // The room still works.
    #expect(b.open(a.seal(text("still here")), at: now).text == text("still here"))
  }

  @Test(
    "replaying many senders costs at most 200 questions per second, and forgets no member"
  )
  func questions() throws {
    let (a, b) = try connected()
    var replies = 0
    for _ in 0..<2000 {
      let old = try TestCipher(key)
      replies += b.open(old.seal(text("old")), at: now.advanced(bySeconds: 5)).replies.count
    }
    // 200, and two for each of 256 groups of senders.
    #expect((300...712).contains(replies))
    #expect(b.open(a.seal(text("still here")), at: now).text != nil)
    let later = try TestCipher(key)
    #expect(b.open(later.seal(text("new")), at: now.advanced(bySeconds: 6)).replies.count == 1)
  }
}
