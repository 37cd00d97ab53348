import MoOrchestra
import Testing

@Suite("A member's TXT record")
struct ServiceRecordTests {
  static func strings(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }
  static let good = strings("version=2", "id=fedcba9876543210", "room=Lab", "name=Ada")

  static func problem(_ strings: [[UInt8]]) -> ServiceRecord.Problem? {
    do throws(ServiceRecord.Problem) { _ = try ServiceRecord(strings: strings) } catch { return error }
    return nil
  }

  @Test("is written as documented, and read back")
  func both() throws {
    let record = ServiceRecord(member: MemberID(0xFEDC_BA98_7654_3210), room: "Lab", name: "Ada")
    #expect(record.strings == Self.good)
    #expect(try ServiceRecord(strings: Self.good) == record)
  }

  @Test("uses the first of repeated keys, ignores case, and skips unknown keys (RFC 6763, 6.4)")
  func keys() throws {
    let strings = Self.strings(
      "", "=none", "org.freedesktop.Avahi.cookie=12", "ROOM=Lab", "Version=2", "room=Stage", "flag",
      "ID=fedcba9876543210", "name=a=b")
    let record = try ServiceRecord(strings: strings)
    #expect(record.room == "Lab")
    #expect(record.name == "a=b")
  }

  @Test(
    "is refused without a key, or with an empty one", arguments: ["version", "id", "room", "name"])
  func missing(key: String) {
    let without = Self.good.filter { !$0.starts(with: key.utf8) }
    #expect(Self.problem(without) == .missing(key))
    #expect(Self.problem(without + Self.strings(key, "\(key)=")) == .missing(key))
  }

  @Test("refuses records that are too long, not text, or of another version")
  func broken() {
    let long = String(repeating: "x", count: 101)
    #expect(Self.problem(Self.strings("version=2", "id=1", "room=\(long)", "name=Ada")) == .tooLong)
    #expect(Self.problem(Self.good + [[UInt8](repeating: 0x78, count: 256)]) == .tooLong)
    #expect(Self.problem(Self.good + Array(repeating: [], count: 13)) == .tooLong)
    #expect(Self.problem([Array("room=".utf8) + [0xFF, 0xFE]] + Self.good) == .notText)
    #expect(Self.problem(Self.strings("version=2", "id=1", "room=a\u{1B}[2J", "name=Ada")) == .notText)
    for id in ["0", "Bob", "12345678901234567"] {
      #expect(Self.problem(Self.strings("version=2", "id=\(id)", "room=Lab", "name=Ada")) == .notText)
    }
    #expect(Self.problem(Self.strings("version=1", "id=1", "room=Lab", "name=Ada")) == .version)
  }

  @Test("keeps at most 40 characters of a name, without control characters")
  func names() throws {
    let name = "A\u{7}d\u{1B}a" + String(repeating: "é", count: 60)
    let record = try ServiceRecord(strings: Self.strings("version=2", "id=1", "room=Lab", "name=\(name)"))
    #expect(record.name == "Ada" + String(repeating: "é", count: 37))
  }

  @Test(
    "an instance name has at most 63 bytes, whole characters, and differs at each attempt (RFC 6763, 4.1.1)"
  )
  func instances() {
    let id = MemberID(0xFEDC_BA98_7654_3210)
    #expect(
      ServiceRecord(member: id, room: "Lab", name: "Ada").instance(attempt: 1) == "Ada fedcba9876543210")
    #expect(
      ServiceRecord(member: id, room: "Lab", name: "Ada").instance(attempt: 3) == "Ada fedcba9876543210 #3")
    for character in ["x", "é", "€", "🥁"] {
      let record = ServiceRecord(member: id, room: "Lab", name: String(repeating: character, count: 40))
      for attempt in [1, 2, 1_000_000] {
        let instance = record.instance(attempt: attempt)
        #expect((60...63).contains(instance.utf8.count) || character == "x")
        #expect(instance.utf8.count <= 63)
        #expect(!instance.unicodeScalars.contains("\u{FFFD}"))
      }
    }
  }
}
