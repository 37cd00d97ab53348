import Glibc
import MoCore
import MoOSC
import MoSessionCore
import Testing

@Suite("Docs/OSC-ADDRESSES.md")
struct AddressTableTests {
  /// The document, found relative to this file.
  static let lines: [Substring] = {
    var place = #filePath[...]
    while let slash = place.lastIndex(of: "/") {
      place = place[..<slash]
      guard let file = fopen("\(place)/Docs/OSC-ADDRESSES.md", "r") else { continue }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = fread(&bytes, 1, bytes.count, file)
      return String(decoding: bytes[..<count], as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
    }
    return []
  }()

  static func cells(_ line: Substring) -> [String] {
    line.split(separator: "|").map { cell in
      String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()).filter { $0 != "`" }
    }
  }

  /// The types in the first column of the table under a heading, in order.
  static func types(under heading: String) -> String? {
    guard let place = lines.firstIndex(where: { $0 == "### \(heading)" }) else { return nil }
    return lines[(place + 1)...].prefix { !$0.hasPrefix("#") }
      .filter { $0.hasPrefix("| `") }
      .map { cells($0)[0] }
      .joined()
  }

  @Test("lists every address once, with its types and its delivery")
  func list() {
    // Instruments have addresses, too, in a table of their own.
    let start = Self.lines.firstIndex(of: "## The protocol of a session") ?? 0
    let rows = Self.lines[start...].filter { $0.hasPrefix("| `/momu/") }.map(Self.cells)
    #expect(rows.count == SessionAddress.allCases.count)
    for address in SessionAddress.allCases {
      #expect(
        rows.contains([address.rawValue, address.types, address.delivery.rawValue]), "\(address.rawValue)")
    }
  }

  @Test("explains every value of every address", arguments: SessionAddress.allCases)
  func values(address: SessionAddress) {
    #expect(Self.types(under: "`\(address.rawValue)`") == address.types)
  }

  @Test("explains the brief, the segment and the level of a section")
  func parts() {
    #expect(Self.types(under: "The brief") == "ihihhihiiii")
    #expect(Self.types(under: "A segment") == "hddddiiiidd")
    #expect(Self.types(under: "A section's level") == "hi")
  }

  @Test("explains the gates in the code's order")
  func gates() {
    #expect(Self.types(under: "The envelope") == "ihhiiihid")
    #expect(Self.lines.contains { $0.contains("none to \(GateTable.most)") })
  }

  @Test("lists the types that are sent, and every sample decodes to itself", arguments: Sample.messages)
  func sent(message: SessionMessage) throws {
    let bytes = message.encoded()
    guard case .message(let packet) = try OSCPacket(bytes: bytes) else {
      Issue.record("no message")
      return
    }
    let address = try #require(SessionAddress(rawValue: packet.address))
    // An OSC message: the address, padded to four bytes, then a comma and the types.
    let start = (packet.address.utf8.count / 4 + 1) * 4 + 1
    let types = String(decoding: bytes[start...].prefix { $0 != 0 }, as: UTF8.self)
    let parts = address.types.split(separator: "(")
    #expect(types.hasPrefix(parts[0]))
    var rest = types.dropFirst(parts[0].count)
    for group in parts.dropFirst().map({ $0.dropLast() }) {
      while rest.hasPrefix(group) { rest = rest.dropFirst(group.count) }
    }
    #expect(rest.isEmpty, "\(types)")
    if address != .beat { #expect(try SessionMessage(datagram: bytes) == message) }
  }
}
