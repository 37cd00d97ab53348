import MoCore
import Testing

@Suite("A setting that several members change")
struct SharedCellTests {
  @Test(
    "of two changes the higher count wins, then the higher author, then the higher value; counts wrap around")
  func cell() {
    let first = SharedCell(value: 9, count: 1, author: 9)
    #expect(first.changed(to: 1, by: 1).wins(over: first))
    #expect(!first.wins(over: first.changed(to: 1, by: 1)))
    #expect(SharedCell(value: 1, count: 4, author: 3).wins(over: SharedCell(value: 2, count: 4, author: 2)))
    #expect(SharedCell(value: 2, count: 4, author: 3).wins(over: SharedCell(value: 1, count: 4, author: 3)))
    #expect(!first.wins(over: first))
    let last = SharedCell(value: 1, count: .max, author: 1)
    #expect(last.changed(to: 2, by: 1).count == 1)
    #expect(last.changed(to: 2, by: 1).wins(over: last))
    #expect(!SharedCell(value: 1, count: 1 << 25, author: 1).wins(over: first))
    #expect(first.wins(over: SharedCell(word: 0)))
    #expect(!SharedCell(word: 0xFFFF).wins(over: SharedCell(word: 0)))
  }

  @Test("a word contains its count, its author and its value, the highest bits first")
  func word() {
    let cell = SharedCell(word: 0x0102_0304_0506_0708)
    #expect(cell == SharedCell(value: 0x0708, count: 0x0102_0304, author: 0x0506))
    #expect(cell.value == 0x0708 && cell.author == 0x0506 && cell.count == 0x0102_0304)
  }
}
