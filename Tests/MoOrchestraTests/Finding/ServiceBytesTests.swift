import MoOrchestra
import MoSessionSimulation
import Testing

@Suite("Random bytes from a directory")
struct ServiceBytesTests {
  @Test("random bytes give a valid record or none", arguments: 1...8 as ClosedRange<UInt64>)
  func anything(seed: UInt64) {
    var chance = SimulatedChance(seed: seed)
    func below(_ count: Int) -> Int { Int(chance.next() % UInt64(count)) }
    var accepted = 0
    for _ in 0..<20_000 {
      var strings = ServiceRecordTests.good
      for _ in 0..<below(4) {
        let index = below(strings.count)
        switch below(6) {
        case 0: strings[index] = []
        case 1: strings.append(strings[index])
        case 2: strings[index].insert(UInt8(below(256)), at: below(strings[index].count + 1))
        case 3:
          if !strings[index].isEmpty { strings[index][below(strings[index].count)] ^= UInt8(1 << below(8)) }
        case 4: strings[index] += [UInt8](repeating: UInt8(below(256)), count: below(300))
        default: strings.swapAt(index, below(strings.count))
        }
      }
      guard let record = try? ServiceRecord(strings: strings) else { continue }
      accepted += 1
      #expect(record.member != .nobody)
      #expect((1...100).contains(record.room.utf8.count))
      #expect(record.name.count <= 40)
      for text in [record.room, record.name] {
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
      }
      #expect(record.instance(attempt: 9).utf8.count <= 63)
      // The parsed record can be published again, with the same content.
      if !record.name.isEmpty { #expect((try? ServiceRecord(strings: record.strings)) == record) }
    }
    // Most mutations make it invalid, but not all.
    #expect((2_000..<18_000).contains(accepted))
  }
}
