import Glibc
import MoInstruments
import MoTesting
import Testing

@Suite("Addresses of instruments")
struct AddressTests {
  /// The lines of the document, found relative to this file.
  private static let lines: [Substring] = {
    guard let file = fopen("\(packageFolder())/Docs/OSC-ADDRESSES.md", "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 17)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
  }()

  @Test("match the addresses and types in the document")
  func table() throws {
    let begin = try #require(Self.lines.firstIndex { $0.hasPrefix("| below the instrument") })
    let rows = Self.lines[(begin + 2)...].prefix { $0.hasPrefix("|") }.map { row in
      row.split(separator: "|").prefix(2).map { cell in cell.filter { $0 != "`" && $0 != " " } }
    }
    #expect(rows == InstrumentNet.addresses.map { [$0.name, $0.types] })
  }

  @Test("no instrument or parameter name collides with another address")
  func collisions() {
    let taken = Self.lines.filter { $0.hasPrefix("| `/momu/") }
      .map { $0.dropFirst("| `/momu/".count).prefix { $0 != "`" && $0 != "/" } }
    #expect(!taken.isEmpty)
    for entry in Instruments.all {
      #expect(!taken.contains(Substring(entry.sheet.name)))
      for parameter in entry.parameters {
        #expect(!InstrumentNet.addresses.contains { $0.name == parameter.name })
      }
    }
  }
}
