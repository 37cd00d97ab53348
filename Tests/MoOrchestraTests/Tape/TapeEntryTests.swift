import Glibc
import MoCore
import MoOSC
import MoOrchestra
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Entries of a session's tape")
struct TapeEntryTests {
  static let start = HostTime(seconds: 1000)

  /// One entry of every kind, with times by the host clock.
  static let entries: [SessionTapeEntry] = {
    func entry(_ note: SessionTapeNote, beat: Double? = 3.5) -> SessionTapeEntry {
      SessionTapeEntry(time: start.advanced(bySeconds: 2), beat: beat, note: note)
    }
    let plays: [SessionPlay] = [
      .hit(SessionHit(force: 0.5, drum: 2)), .note(SessionNote(pitch: 60.5, velocity: 0.25, length: 2)),
      .melody(TapeSample.melody), .change(SessionChange("brightness", 0.75)),
      .gesture(SessionGesture(activity: 0.5, roll: -90, pitch: 45)),
      .cells(SharedEdits("drums", [SharedEdit(key: 7, cell: SharedCell(value: 800, count: 2, author: 9))])),
      .cue(SessionCue(.comeIn, "the bridge")), .text(SessionText("softer, please", for: .section)),
    ]
    let later = start.advanced(bySeconds: 2.125)
    return [
      entry(.room(SessionTapeRoom(name: "Lab", member: TapeSample.me, program: "Orchestra")), beat: nil),
      entry(.clock(SessionTapeClock(shared: SessionTime(nanoseconds: -77), rate: -4e-5))),
      entry(
        .member(
          SessionTapeMember(
            member: TapeSample.other, installation: MemberID(99), name: "Ada", program: "harp", isHere: true,
            plays: "harp", level: 0.5))
      ),
      entry(.state(TapeSample.played)), entry(.state(TapeSample.silent), beat: nil),
      entry(.activity(TapeSample.other, 0.5)), entry(.panic(TapeSample.other)), entry(.panicLifted),
    ]
      + plays.map {
        entry(
          .heard(SessionHeard(from: TapeSample.other, play: $0, time: later, beat: 4, late: 0, weight: 0.5)))
      }
      + plays.map {
        entry(.sent(SessionSent(play: $0, aim: "section drums", isForMe: true, time: later, beat: nil)))
      } + [
        entry(
          .heard(
            SessionHeard(
              from: TapeSample.other, play: plays[0], time: later, beat: nil, late: .infinity, weight: 1)))
      ]
  }()

  /// Returns the entry as it is read, with times from the tape's start.
  static func read(_ entry: SessionTapeEntry) -> SessionTapeEntry {
    func moved(_ time: HostTime) -> HostTime {
      HostTime(nanoseconds: time.nanoseconds - start.nanoseconds)
    }
    var entry = entry
    entry.time = moved(entry.time)
    switch entry.note {
    case .heard(var heard):
      heard.time = moved(heard.time)
      entry.note = .heard(heard)
    case .sent(var sent):
      sent.time = moved(sent.time)
      entry.note = .sent(sent)
    default: break
    }
    return entry
  }

  @Test("every kind of entry is read back from its bytes", arguments: entries)
  func written(entry: SessionTapeEntry) throws {
    let bytes = try entry.message(from: Self.start).encoded()
    guard case .message(let message) = try OSCPacket(bytes: bytes) else {
      Issue.record("no message")
      return
    }
    #expect(try SessionTapeEntry(message, atNanoseconds: 2_000_000_000) == Self.read(entry))
  }

  @Test("reads a state of an older release, which has no silence")
  func older() throws {
    let entry = SessionTapeEntry(time: Self.start, beat: 1, note: .state(TapeSample.played))
    var message = entry.message(from: Self.start)
    #expect(message.arguments.last == .int32(0))
    message.arguments.removeLast()
    #expect(try SessionTapeEntry(message, atNanoseconds: 0)?.note == entry.note)
  }

  @Test("reads a member of an older release, which has neither an instrument nor a level")
  func olderMember() throws {
    let member = SessionTapeMember(
      member: TapeSample.other, installation: MemberID(99), name: "Ada", program: "harp", isHere: true)
    var message = SessionTapeEntry(time: Self.start, beat: 1, note: .member(member)).message(from: Self.start)
    message.arguments.removeLast(2)
    #expect(message.typeTags == "dhhssi")
    #expect(try SessionTapeEntry(message, atNanoseconds: 0)?.note == .member(member))
  }

  @Test("every address has an entry, with the types of the table")
  func table() throws {
    var seen: Set<String> = []
    for entry in Self.entries {
      let message = entry.message(from: Self.start)
      let address = try #require(SessionTapeAddress(rawValue: message.address))
      seen.insert(message.address)
      let parts = address.types.split(separator: "(")
      let types = message.typeTags.filter { $0 != "," }
      #expect(types.hasPrefix(parts[0]), "\(message.address) \(types)")
      var rest = types.dropFirst(parts[0].count)
      for group in parts.dropFirst().map({ $0.dropLast() }) {
        while rest.hasPrefix(group) { rest = rest.dropFirst(group.count) }
      }
      #expect(rest.isEmpty, "\(message.address) \(types)")
    }
    #expect(seen == Set(SessionTapeAddress.allCases.map(\.rawValue)))
  }

  private static func cells(_ line: Substring) -> [String] {
    line.split(separator: "|").map { cell in
      String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()).filter { $0 != "`" }
    }
  }

  @Test("Docs/Tapes.md lists every address with its types")
  func document() throws {
    var place = #filePath[...]
    var text = ""
    while text.isEmpty, let slash = place.lastIndex(of: "/") {
      place = place[..<slash]
      guard let file = fopen("\(place)/Docs/Tapes.md", "r") else { continue }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = fread(&bytes, 1, bytes.count, file)
      text = String(decoding: bytes[..<count], as: UTF8.self)
    }
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `/momu/session/") }.map(
      Self.cells)
    for address in SessionTapeAddress.allCases {
      let row = rows.first { $0.first == address.rawValue }
      // Received and sent events share a row; their first values are separate.
      let types = try #require(row, "\(address.rawValue)")[1]
      #expect(types == address.types, "\(address.rawValue)")
    }
    #expect(rows.count == SessionTapeAddress.allCases.count)
  }

  @Test("skips other programs' messages, and reports messages with invalid values")
  func broken() throws {
    #expect(try SessionTapeEntry(OSCMessage("/momu/accel", [.float(1)]), atNanoseconds: 0) == nil)
    for values: [OSCArgument] in [
      [], [.double(0), .string("Lab")], [.float(0), .string("Lab"), .int64(1), .string("a")],
      [.double(0), .string("Lab"), .int64(0), .string("a")],
    ] {
      #expect(
        throws: SessionTapeError.broken(address: "/momu/session/room", nanoseconds: 5_000_000_000)
      ) { try SessionTapeEntry(OSCMessage("/momu/session/room", values), atNanoseconds: 5_000_000_000) }
    }
    let error = SessionTapeError.broken(address: "/momu/session/room", nanoseconds: 5_000_000_000)
    #expect(
      error.description
        == "at 5 s /momu/session/room has other values than Docs/Tapes.md says: another program wrote it, or another "
        + "release of this one")
  }

  @Test("random values under every address are refused or read, without a crash")
  func fuzz() throws {
    var chance = SimulatedChance(seed: 21)
    let kinds: [() -> OSCArgument] = [
      { .int32(Int32(truncatingIfNeeded: chance.next())) }, { .int64(Int64(bitPattern: chance.next())) },
      { .float(Float(bitPattern: UInt32(truncatingIfNeeded: chance.next()))) },
      { .double(Double(bitPattern: chance.next())) }, { .string(String(chance.next() % 100)) },
    ]
    for address in SessionTapeAddress.allCases {
      for _ in 0..<400 {
        let letters = address.types.filter { $0 != "(" && $0 != ")" }
        let values = letters.map { letter -> OSCArgument in
          let place = Array("ihfds").firstIndex(of: letter) ?? 0
          return kinds[chance.unit() < 0.05 ? Int(chance.next() % 5) : place]()
        }
        guard let entry = try? SessionTapeEntry(OSCMessage(address.rawValue, values), atNanoseconds: 0) else {
          continue
        }
        // An accepted entry can be written again unchanged.
        let again = try SessionTapeEntry(entry.message(from: .zero), atNanoseconds: 0)
        #expect(again == entry, "\(entry)")
      }
    }
  }
}
