import MoConsole
import MoCore
import MoOrchestra
import MoRuntime
import MoSessionCore
import Testing

@Suite("A room in a terminal")
struct SessionPictureTests {
  private static func member(_ number: UInt64, _ name: String) -> SessionMember {
    var settings = SessionCore.Settings(
      room: "Lab",
      identity: SessionIdentity(
        member: MemberID(number), installation: MemberID(8), name: name, program: "p", release: "1"))
    settings.listening = 0
    return SessionCore(settings, now: .zero).roster(at: .zero)[0]
  }

  private static func lines(_ members: [SessionMember], _ columns: Int, _ rows: Int) -> [String] {
    ScreenBlock.rows([SessionPicture.members(members, columns: columns)], rows).lines.map(\.text)
  }

  @Test("shows what a member lacks after its name, in a row that still fits")
  func missed() {
    var member = Self.member(7, "Annabella")
    (member.isMe, member.plays) = (false, "harp")
    func line(missed: Int, columns: Int = 79) -> String {
      member.missed = missed
      return Self.lines([member], columns, 5)[0]
    }
    #expect(!line(missed: 0).contains("missed"))
    #expect(line(missed: 1234).contains(" missed 1234"))
    (member.report.symmetricMilliseconds, member.report.boundMilliseconds) = (0.123, 12.3)
    member.report.loss = 0.12
    let longest = line(missed: 1234)
    #expect(longest.count < 80 && longest.contains("±") && longest.contains("loss 12 %"), "\(longest)")
    #expect(
      line(missed: 1234, columns: 39).count <= 39 && line(missed: 1234, columns: 39).contains("missed 1234"))
  }

  @Test("marks a member whose notes no other member hears")
  func closed() {
    let members = [(1, "Ada"), (2, "Ben"), (3, "Cyd")].map { number, name in
      var member = Self.member(UInt64(number), name)
      member.identity.installation = MemberID(UInt64(number))
      member.isMe = number == 1
      return member
    }
    func closed(_ gates: GateTable, _ count: Int = 3) -> [String] {
      let block = SessionPicture.members(Array(members.prefix(count)), columns: 79, gates: gates)
      let lines = ScreenBlock.rows([block], 9).lines.map(\.text)
      return zip(members, lines).filter { $0.1.contains("  notes closed") }.map(\.0.displayName)
    }
    #expect(closed(.democratic).isEmpty)
    #expect(closed(.centralised(MemberID(1))).isEmpty)
    #expect(closed(.stairs([MemberID(1), MemberID(2), MemberID(3)])) == ["Cyd"])
    var gates = GateTable.democratic
    gates.set(0, .rhythm, from: MemberID(2))
    #expect(closed(gates).isEmpty)
    gates.set(0, .notes, from: MemberID(2), to: MemberID(1))
    #expect(closed(gates).isEmpty && closed(gates, 2) == ["Ben"])
    gates.set(0, .notes, from: MemberID(3))
    #expect(closed(gates) == ["Cyd"])
  }

  @Test(
    "counts members that do not fit; keeps this member's row and the conductor's",
    arguments: [1, 5, 18, 40], [(39, 3), (39, 9), (79, 20), (119, 36), (199, 56)])
  func many(count: Int, size: (columns: Int, rows: Int)) {
    var members = (1...count).map { Self.member(UInt64($0), "Player\($0)") }
    for index in members.indices {
      (members[index].isMe, members[index].plays) = (index == count - 1, "shaker")
    }
    members[count / 2].isConductor = true
    let lines = Self.lines(members, size.columns, size.rows)
    #expect(lines.count == min(count, size.rows) && lines.allSatisfy { $0.count <= size.columns })
    #expect(lines.contains { $0.contains("Player\(count) ") } && lines.contains { $0.contains("♪") })
    let shown = lines.count { $0.contains("Player") }
    #expect(shown == count || lines.last == "  and \(count - shown) more", "\(lines)")
  }

  @Test("a member that reports no error yet is not in time, and the shown bound is never 0")
  func smallErrors() {
    var member = Self.member(7, "Cyd")
    (member.isMe, member.isKeeper) = (false, false)
    func line(_ likely: Float, _ most: Float) -> String {
      (member.report.symmetricMilliseconds, member.report.boundMilliseconds) = (likely, most)
      return Self.lines([member], 79, 5)[0]
    }
    #expect(line(0, 0).hasSuffix("not yet in time"), "\(line(0, 0))")
    #expect(line(0.0001, 0.0004).hasSuffix("±0.001 ms  (at most 0.001 ms)"), "\(line(0.0001, 0.0004))")
    #expect(line(0.02, 1.5).hasSuffix("±0.020 ms  (at most 1.5 ms)"), "\(line(0.02, 1.5))")
  }

  @Test("lists laptop-8 before laptop-10, and a second member of a name after the first")
  func order() {
    let names = ["laptop-10", "laptop-8", "Ada 2", "laptop-9", "Ada", "太鼓", "Ada 10"]
    let sorted = ["Ada", "Ada 2", "Ada 10", "laptop-8", "laptop-9", "laptop-10", "太鼓"]
    #expect(names.inNaturalOrder { $0 } == sorted)
    let rows = Self.lines(names.enumerated().map { Self.member(UInt64($0 + 1), $1) }, 79, 20)
    #expect(rows.map { String($0.dropFirst(4).split(separator: "  ").first ?? "") } == sorted, "\(rows)")
    let pairs = [
      ("07", "7"), ("a", "a1"), ("a1b2", "a1b10"), ("a01", "a2"), ("", "a"), ("99", "1000000000000000000000"),
    ]
    for (left, right) in pairs {
      #expect(NaturalOrder.precedes(left, right), "\(left), \(right)")
      #expect(!NaturalOrder.precedes(right, left) && !NaturalOrder.precedes(left, left), "\(left), \(right)")
    }
  }

  @Test("of a member that is not heard, it shows only this, neither a stale error nor the room's clock")
  func unheard() {
    var members = [Self.member(1, "Ada"), Self.member(2, "Ben"), Self.member(3, "Eve")]
    for index in members.indices {
      members[index].isMe = index == 0
      (members[index].report.symmetricMilliseconds, members[index].report.boundMilliseconds) = (0.01, 0.02)
      members[index].isKeeper = index == 2
    }
    func rows(_ cutOff: Double?, _ columns: Int) -> [String] {
      let block = SessionPicture.members(members, columns: columns, cutOff: cutOff)
      return ScreenBlock.rows([block], 5).lines.map(\.text)
    }
    #expect(
      rows(nil, 79).map { $0.contains("(at most 0.020 ms)") } == [true, true, false]
        && rows(nil, 79)[2].contains("keeps the clock"))
    for columns in [39, 79] {
      let shown = rows(3.7, columns)
      #expect(shown[1...].allSatisfy { $0.hasSuffix("  not heard for 3 s") }, "\(shown)")
      #expect(shown[0].contains("±0.010 ms"), "\(shown)")
    }
    #expect(rows(nil, 39).allSatisfy { !$0.contains("at most") })
  }

  @Test(
    "of a member that is not heard, the words about this stay and its stale activity goes",
    arguments: ["harp", "drum-machine"], [39, 79, 119])
  func unheardPlayers(instrument: String, columns: Int) {
    let names = ["Annabella", "Benjamin", "Charlotte1"]
    var members = names.enumerated().map { Self.member(UInt64($0 + 1), $1) }
    for index in members.indices {
      members[index].isMe = index == 0
      (members[index].plays, members[index].activity) = (instrument, 0.5)
      (members[index].missed, members[index].isRecording) = (7, true)
    }
    for seconds in [3.7, 899] {
      let block = SessionPicture.members(members, columns: columns, cutOff: seconds)
      let rows = ScreenBlock.rows([block], 5).lines.map(\.text)
      #expect(rows.allSatisfy { TerminalSize.width($0) <= columns } && rows[0].contains("▮▮▮▯▯"), "\(rows)")
      for (row, name) in zip(rows, names).dropFirst() {
        #expect(row.contains("\(name) ") && row.contains("  not heard for \(Int(seconds)) s"), "\(rows)")
        #expect(!row.contains("▮") && !row.contains("▯"), "\(rows)")
      }
    }
  }

  @Test("members that disappear while contact is lost keep their rows, and the conductor keeps its mark")
  func missing() {
    var me = Self.member(1, "Ada")
    me.isMe = true
    // The seconds count from the removal, four seconds after the last message. Flo disappeared long before.
    let gone = [("Ben", 2), ("Cyd", 3), ("Di", 4), ("Eve", 5), ("Flo", 6)].map { (name: String, id: UInt64) in
      UnconfirmedMember(member: MemberID(id), name: name, silentFor: id == 6 ? 600 : 8)
    }
    func rows(_ rows: Int) -> [String] {
      let block = SessionPicture.members(
        [me], columns: 39, cutOff: 12.7, missing: gone, conductor: gone[2].member)
      return ScreenBlock.rows([block], rows).lines.map(\.text)
    }
    let whole = rows(9)
    #expect(whole.count == 5 && whole[1...].allSatisfy { $0.hasSuffix("  not heard for 12 s") }, "\(whole)")
    #expect(whole.map { $0.contains("♪") } == [false, false, false, true, false], "\(whole)")
    let narrow = rows(3)
    #expect(narrow.count == 3 && narrow[1].contains("♪ Di") && narrow[2] == "  and 3 more", "\(narrow)")
  }

  @Test(
    "an address is four numbers or IPv6, with an optional port; the system would complete fewer numbers",
    arguments: [
      ("192.168.0.5", "192.168.0.5:6450"), ("192.168.0.5:7000", "192.168.0.5:7000"), ("192.168.0", nil),
      ("5", nil), ("", nil), ("1.2.3.4.5", nil), ("1.2.3.256", nil), ("1.2.3.4:0", nil), ("1.2.3.4:", nil),
      ("1.2.3.4:x", nil), ("::1", "[::1]:6450"), ("[::1]", "[::1]:6450"),
      ("2001:db8::5", "[2001:db8::5]:6450"), ("[2001:db8::5]:7000", "[2001:db8::5]:7000"), ("[::1", nil),
      ("[::1]:", nil), ("[::1]7000", nil), ("[1.2.3.4]:7000", nil), ("ff02::1", nil), ("::", nil),
      ("fe80::5", nil), ("fe80::5%lo", "[fe80::5%lo]:6450"), ("[fe80::5%lo]:7000", "[fe80::5%lo]:7000"),
      ("fe80::5%nowhere", nil), ("::ffff:192.168.0.5", "192.168.0.5:6450"), ("ada.local.home.net", nil),
    ] as [(String, String?)])
  func addresses(typed: String, meant: String?) {
    #expect(SessionEndpoint(typed: typed)?.text == meant)
  }
}
