import MoTime
import Testing

@testable import MoSessionCore

@Suite("What is acknowledged")
struct PlayStreamTests {
  static func letter(_ pitch: Float) -> PlayLetter {
    PlayLetter(
      from: Sample.other, to: Sample.me, stream: 0, number: 0, first: 0, stamp: nil,
      play: .note(SessionNote(pitch: pitch)))
  }

  static func pitches(_ letters: [PlayLetter]) -> [Float] {
    letters.compactMap { letter in
      guard case .note(let note) = letter.play else { return nil }
      return note.pitch
    }
  }

  @Test("is heard in order, whatever the order in which it comes, and how often")
  func order() {
    var outbox = PlayOutbox(stream: 1)
    var inbox = PlayInbox()
    func hears(_ letter: PlayLetter) -> [Float] { Self.pitches(inbox.take(letter)) }
    let sent = (1...5).map { outbox.add(Self.letter(Float($0)), at: .zero)! }
    #expect(hears(sent[1]) == [])
    #expect(hears(sent[4]) == [])
    #expect(hears(sent[0]) == [1, 2])
    #expect(hears(sent[0]) == [])
    #expect(hears(sent[3]) == [])
    #expect(hears(sent[2]) == [3, 4, 5])
    #expect(inbox.next == 6)
  }

  @Test(
    "is sent again after 60 ms, then 60, 120, 240, 480 and 500, until it is acknowledged, and given up after 5 s"
  )
  func again() {
    var outbox = PlayOutbox(stream: 1)
    _ = outbox.add(Self.letter(1), at: .zero)!
    _ = outbox.add(Self.letter(2), at: .zero)!
    var times: [Double] = []
    while outbox.next < HostTime(seconds: 1) {
      let now = outbox.next
      let again = outbox.due(at: now).letters
      #expect(again.count == 2)
      times.append(now.seconds)
    }
    #expect(times.map { ($0 * 1000).rounded() } == [60, 120, 240, 480, 960])
    outbox.take(PlayReceipt(from: Sample.me, to: Sample.other, stream: 1, next: 2))
    #expect(outbox.waiting.map(\.letter.number) == [2])
    let (letters, givenUp) = outbox.due(at: HostTime(seconds: 5))
    #expect(letters.isEmpty && givenUp.map(\.number) == [2])
    #expect(outbox.next == .distantFuture)
  }

  @Test("is passed over where the sender has given it up, and what came after it is heard")
  func givenUp() throws {
    var outbox = PlayOutbox(stream: 1)
    var inbox = PlayInbox()
    func hears(_ letter: PlayLetter) -> [Float] { Self.pitches(inbox.take(letter)) }
    _ = outbox.add(Self.letter(1), at: .zero)!
    let second = outbox.add(Self.letter(2), at: HostTime(seconds: 3))!
    #expect(hears(second) == [])
    let (letters, givenUp) = outbox.due(at: HostTime(seconds: 5))
    #expect(givenUp.map(\.number) == [1] && letters.map(\.first) == [2])
    let again = try #require(letters.first)
    #expect(hears(again) == [2])
    #expect(hears(second) == [])
  }

  @Test("begins anew where the sender has met us anew, and nothing of before is heard again")
  func anew() {
    var (old, new) = (PlayOutbox(stream: 1), PlayOutbox(stream: 2))
    var inbox = PlayInbox()
    func hears(_ letter: PlayLetter) -> [Float] { Self.pitches(inbox.take(letter)) }
    let before = old.add(Self.letter(1), at: .zero)!
    #expect(hears(before) == [1])
    let (after, other) = (new.add(Self.letter(2), at: .zero)!, old.add(Self.letter(3), at: .zero)!)
    #expect(hears(after) == [2])
    #expect(hears(before) == [])
    #expect(hears(other) == [])
  }

  @Test("keeps to its bounds: 64 in line, 64 ahead of their turn")
  func bounds() {
    var outbox = PlayOutbox(stream: 1)
    var inbox = PlayInbox()
    func hears(_ letter: PlayLetter) -> [Float] { Self.pitches(inbox.take(letter)) }
    for index in 0..<100 {
      let letter = outbox.add(Self.letter(Float(index)), at: .zero)
      #expect((letter == nil) == (index >= 64))
    }
    var letter = Self.letter(1)
    (letter.stream, letter.first) = (1, 1)
    for number in Int32(2)...1000 {
      letter.number = number
      #expect(hears(letter) == [])
    }
    letter.number = 1
    #expect(hears(letter).count == 64)
  }

  @Test("what is counted without a stream goes round: after the last number comes the first, and is newer")
  func round() throws {
    var inbox = PlayInbox()
    func isNewest(_ letter: PlayLetter) -> Bool { inbox.isNewest(letter) }
    for play in [SessionPlay.gesture(SessionGesture(activity: 1)), .change(SessionChange("a", 1))] {
      var letter = Sample.letter(play, stream: 0)
      for number in [Int32.max - 1, .max, .min, .min + 1] {
        (letter.number, letter.first) = (number, number)
        #expect(isNewest(letter))
        #expect(!isNewest(letter))
        guard case .play(let again) = try SessionMessage(datagram: SessionMessage.play(letter).encoded())
        else {
          Issue.record("no letter")
          continue
        }
        #expect(again == letter)
      }
      letter.number = .max
      #expect(!isNewest(letter))
    }
  }

  @Test("a value that was overtaken is not heard, nor a gesture")
  func newest() {
    var inbox = PlayInbox()
    func isNewest(_ letter: PlayLetter) -> Bool { inbox.isNewest(letter) }
    var letter = Sample.letter(.change(SessionChange("a", 1)), stream: 0)
    #expect(isNewest(letter))
    #expect(!isNewest(letter))
    letter.number = 6
    #expect(!isNewest(letter))
    letter.play = .change(SessionChange("b", 1))
    #expect(isNewest(letter))
    letter.play = .gesture(SessionGesture(activity: 1))
    #expect(isNewest(letter))
    letter.number = 5
    #expect(!isNewest(letter))
    for index in 0..<100 {
      letter.play = .change(SessionChange("c\(index)", 1))
      #expect(isNewest(letter) == (index < 62))
    }
  }
}
