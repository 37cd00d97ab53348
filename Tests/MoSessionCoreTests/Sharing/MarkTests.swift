import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

extension VirtualOrchestra {
  mutating func mark(_ index: Int, _ bar: Int, of song: String = "", isSet: Bool = true) throws {
    _ = try act(index) { core, now throws(SessionRefusal) in
      try core.setMark(RehearsalMark(bar: bar, of: song), isSet, now: now)
    }
  }

  func marks(_ index: Int) -> [String] { core(index).marks.map(\.description) }
}

@Suite("Rehearsal marks")
struct MarkTests {
  @Test("all members get a mark, even one that joins later, and another member can remove it")
  func shared() throws {
    var orchestra = VirtualOrchestra.room(4, on: .badWiFi)
    orchestra.crash(3)
    orchestra.pass(1)
    try orchestra.mark(0, 40, of: "Take Five")
    try orchestra.mark(1, 12, of: "Take Five")
    try orchestra.mark(2, 7)
    orchestra.pass(4)
    let all = ["bar 7", "bar 12 of Take Five", "bar 40 of Take Five"]
    for index in 0..<3 { #expect(orchestra.marks(index) == all) }
    orchestra.join(3)
    orchestra.pass(10)
    #expect(orchestra.marks(3) == all)
    try orchestra.mark(3, 12, of: "Take Five", isSet: false)
    orchestra.pass(4)
    for index in 0..<4 { #expect(orchestra.marks(index) == ["bar 7", "bar 40 of Take Five"]) }
    #expect(throws: SessionRefusal.unknownMark(RehearsalMark(bar: 12, of: "Take Five"))) {
      try orchestra.mark(3, 12, of: "Take Five", isSet: false)
    }
  }

  @Test(
    "all members get the current song, even one that has restarted; it is no mark, and another song replaces it"
  )
  func song() throws {
    var orchestra = VirtualOrchestra.room(3, on: .badWiFi)
    func set(_ index: Int, _ name: String) throws {
      _ = try orchestra.act(index) { core, now throws(SessionRefusal) in try core.setSong(name, now: now) }
    }
    #expect(orchestra.core(0).song == nil)
    try orchestra.mark(0, 40, of: "Take Five")
    try set(0, "Take Five")
    orchestra.crash(2)
    orchestra.pass(4)
    #expect(orchestra.core(1).song == "Take Five" && orchestra.marks(1) == ["bar 40 of Take Five"])
    orchestra.join(2)
    orchestra.pass(10)
    #expect(orchestra.core(2).song == "Take Five")
    try set(2, "Blue in Green")
    orchestra.pass(4)
    for index in 0..<3 { #expect(orchestra.core(index).song == "Blue in Green") }
    try set(0, "A")
    try set(1, "B")
    orchestra.pass(10)
    let songs = Set((0..<3).map { orchestra.core($0).song })
    #expect(songs.count == 1 && songs != ["Blue in Green"])
    try set(1, "")
    orchestra.pass(4)
    for index in 0..<3 { #expect(orchestra.core(index).song == nil) }
    #expect(orchestra.marks(2) == ["bar 40 of Take Five"])
  }

  @Test(
    "a forged song has no control characters, one without a name is none, and the next selection replaces both"
  )
  func forgedSong() throws {
    var orchestra = VirtualOrchestra.room(2)
    func forge(_ name: String) throws {
      _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
        let cell = SharedCell(value: 1, count: 1, author: 1)
        try core.share(SharedEdits(name, [SharedEdit(key: 0, cell: cell)]), now: now)
      }
      orchestra.pass(2)
    }
    try forge("mark/")
    #expect(orchestra.core(1).song == nil)
    try forge("mark/Forged")
    #expect(orchestra.core(1).song == "Forged")
    let edits = SharedEdits(
      "mark/a\u{1B}[2J", [SharedEdit(key: 0, cell: SharedCell(value: 1, count: 1, author: 1))])
    #expect(SessionCore.songChange(in: edits)?.song == "a[2J")
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in try core.setSong("Take Five", now: now) }
    orchestra.pass(2)
    for index in 0..<2 { #expect(orchestra.core(index).song == "Take Five") }
  }

  @Test("a mark is attributed to its author, and not to a member that relays it")
  func changedByAuthor() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.mark(1, 5)
    orchestra.pass(1)
    guard case .cells(let edits) = orchestra.heard(2).last?.play else {
      Issue.record("no cells came")
      return
    }
    #expect(orchestra.core(2).markChange(by: orchestra.id(1), edits)?.mark == RehearsalMark(bar: 5))
    #expect(orchestra.core(2).markChange(by: orchestra.id(0), edits) == nil)
    #expect(orchestra.core(2).markChange(by: orchestra.id(1), SharedEdits("drums", edits.edits)) == nil)
  }

  @Test("invalid bars and names are corrected, and forged ones are dropped")
  func bounds() throws {
    #expect(RehearsalMark(bar: -3).bar == 1)
    #expect(RehearsalMark(bar: .max).bar == 999_999)
    #expect(RehearsalMark(bar: 1, of: "a\u{1B}[2J").song == "a[2J")
    let long = RehearsalMark(bar: 3, of: String(repeating: "👩‍🚀", count: 40))
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.mark(0, 3, of: long.song)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      let cell = SharedCell(value: 1, count: 1, author: 1)
      try core.share(SharedEdits("mark/x", [SharedEdit(key: -1, cell: cell)]), now: now)
    }
    orchestra.pass(2)
    #expect(orchestra.core(1).marks == [long])
  }

  @Test("a room full of marks refuses more with an error")
  func full() throws {
    var orchestra = VirtualOrchestra.room(2)
    for song in 0..<32 { try orchestra.mark(0, 1, of: "song \(song)") }
    #expect(throws: SessionRefusal.tooManyCells) { try orchestra.mark(0, 1, of: "one more") }
  }
}
