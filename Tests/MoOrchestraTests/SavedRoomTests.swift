import MoOrchestra
import MoRuntime
import MoSessionCore
import Testing

@Suite("The saved room")
struct RoomRecordTests {
  private var full: SavedRoom {
    var record = SavedRoom(room: "Lab  2")
    record.name = "Ben Ügüm"
    record.only = MemberID(0xFEED)
    record.isHidden = true
    record.trim = -12.5
    record.audio = "hw:1"
    record.ignored = [MemberID(1), MemberID(.max)]
    record.member = MemberID(0xADA)
    record.kept = ["instrument": "harp", "left 50% harp%20/size": "0.5", "piano/brightness": "0.7"]
    record.peers = ["192.168.0.5", "[fe80::1%eth0]:6450"]
    record.key = RoomKey(stored: "0123456789abcdef " + String(repeating: "fe10", count: 16))
    return record
  }

  @Test("reads back its own text, which is readable")
  func roundTrip() throws {
    #expect(try SavedRoom(text: #require(full.text)) == full)
    #expect(
      full.text == """
        momu-room 1
        room Lab  2
        name Ben Ügüm
        only 000000000000feed
        hidden \

        trim -12.5
        audio hw:1
        ignored 0000000000000001
        ignored ffffffffffffffff
        peer 192.168.0.5
        peer [fe80::1%eth0]:6450
        member 0000000000000ada
        keep instrument harp
        keep left%2050%25%20harp%2520/size 0.5
        keep piano/brightness 0.7
        key 0123456789abcdef fe10fe10fe10fe10fe10fe10fe10fe10fe10fe10fe10fe10fe10fe10fe10fe10

        """)
    #expect(try SavedRoom(text: #require(SavedRoom(room: "x").text)) == SavedRoom(room: "x"))
  }

  @Test(
    "refuses an invalid text",
    arguments: [
      "", "\n", "room Lab\n", "momu-room 1\n", "momu-room 2\nroom Lab\n", "momu-room 1\nroom \n",
      "momu-room 1\nroom Lab\nname Be", "momu-room 1\nroom Lab\ntrim much\n",
      "momu-room 1\nroom Lab\ntrim nan\n",
      "momu-room 1\nroom Lab\nonly 0\n", "momu-room 1\nroom Lab\nignored someone\n",
      "momu-room 1\nroom Lab\nhidden\n",
      "momu-room 1\nroom Lab\nfuture thing\n",
      "momu-room 1\nroom Lab\nkeep instrument\n", "momu-room 1\nroom Lab\nkeep instrument \n",
      "momu-room 1\nroom Lab\nkeep instrument " + String(repeating: "x", count: 81) + "\n",
      "momu-room 1\nroom Lab\nmember Zoe\n",
      "momu-room 1\nroom Lab\nkey secret\n",
      "momu-room 1\nroom Lab\nkey 0123456789abcdef " + String(repeating: "fe", count: 31) + "\n",
      "momu-room 1\nroom Lab\nkey 0123456789abcdef " + String(repeating: "fg", count: 32) + "\n",
      "momu-room 1\nroom Lab\nkey 0123456789abcde " + String(repeating: "fe", count: 32) + "\n",
      "momu-room 1\nroom " + String(repeating: "x", count: 101) + "\n",
      "momu-room 1\nroom Lab\n" + String(repeating: "peer a\n", count: 65),
    ])
  func malformed(text: String) {
    #expect(SavedRoom(text: text) == nil)
  }

  @Test("refuses each truncated text, or reads its first lines")
  func cuts() throws {
    let text = try #require(full.text)
    for cut in text.indices {
      guard let record = SavedRoom(text: String(text[..<cut])) else { continue }
      #expect(text[..<cut].hasSuffix("\n") && record.room == full.room)
    }
  }

  @Test("refuses to save a name with a line break")
  func lineBreak() {
    #expect(SavedRoom(room: "a\nb").text == nil)
  }

  // MARK: precedence

  private func options(
    _ arguments: [String], _ environment: [String: String] = [:], _ standing: [String: String] = [:]
  )
    throws -> RunOptions
  {
    try RunOptions(arguments: arguments, environment: environment, configuration: standing)
  }

  @Test("restores everything if the next start has no options")
  func restored() throws {
    // It was killed on hw:1, and this start uses the same device.
    let again = try options(["--audio", "hw:1"])
    var record = full
    // Each start is a new member.
    record.member = .nobody
    #expect(SavedRoom(JoinOptions(isHidden: false), again, after: full) == record)
  }

  @Test("options and variables precede the saved state, which precedes the configuration file")
  func precedence() throws {
    var before = full
    before.room = "Lab"
    let typed = try options(
      ["--room", "Lab", "--name", "Anna", "--trim", "3"], ["MOMU_CONDUCTOR_ONLY": "a"], ["trim": "9"])
    let found = SavedRoom(JoinOptions(), typed, after: before)
    #expect(found.name == "Anna")
    #expect(found.trim == 3)
    #expect(found.only == MemberID(0xA))
    #expect(found.ignored == before.ignored)
    let standing = try options(["--audio", "hw:1"], [:], ["room": "Hall", "name": "Carl", "trim": "9"])
    let kept = SavedRoom(JoinOptions(), standing, after: before)
    #expect(kept.room == "Lab" && kept.name == "Ben Ügüm" && kept.trim == -12.5)
    let first = SavedRoom(JoinOptions(), standing, after: nil)
    // The next start reads the configuration file again.
    #expect(first.room == "Hall" && first.name == nil && first.trim == nil)
  }

  @Test("the program's own arguments precede everything")
  func program() throws {
    let joinOptions = JoinOptions(room: "Lab  2", name: "Zoe", peers: ["10.0.0.1"])
    let found = SavedRoom(joinOptions, try options(["--room", "Hall", "--name", "Anna"]), after: full)
    #expect(found.room == "Lab  2" && found.name == "Zoe" && found.peers == ["10.0.0.1"])
    #expect(found.only == full.only)
  }

  @Test("restores nothing if another room is given")
  func elsewhere() throws {
    let typed = try options(["--room", "Hall"])
    #expect(SavedRoom(JoinOptions(), typed, after: full) == SavedRoom(room: "Hall"))
  }

  @Test("restores a trim only for its device")
  func otherDevice() throws {
    #expect(SavedRoom(JoinOptions(), try options(["--audio", "hw:2"]), after: full).trim == nil)
    #expect(SavedRoom(JoinOptions(), try options([]), after: full).trim == nil)
  }
}
