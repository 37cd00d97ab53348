import MoCore
import MoSensing
import Testing

/// A table with functions for tests.
private final class Names: Sendable {
  private let table: ChannelNameTable

  init(room: Int) { table = ChannelNameTable(room: room) }

  func find(_ text: String) -> Int? { table.cell(of: text.utf8Span.span) }
  func add(_ text: String) -> Int? { table.cell(adding: text) }
  func text(_ cell: Int) -> String { table.text(of: cell) }
}

@Suite("A table of names")
struct NameTableTests {
  @Test("finds a name by its bytes, keeps its text, and stores it only once")
  func found() throws {
    let names = Names(room: 100)
    var cells: Set<Int> = []
    for index in 0..<100 {
      let text = index == 0 ? "" : "name/\(index)"
      #expect(names.find(text) == nil)
      let cell = try #require(names.add(text))
      #expect(names.add(text) == cell && names.find(text) == cell)
      cells.insert(cell)
    }
    #expect(cells.count == 100)
    for index in 1..<100 { #expect(names.find("name/\(index)").map(names.text) == "name/\(index)") }
  }

  @Test("refuses names beyond its capacity, and keeps those that it has", arguments: [1, 2, 3, 7, 4096])
  func full(room: Int) {
    let names = Names(room: room)
    for index in 0..<room { #expect(names.add("\(index)") != nil) }
    #expect(names.add("one more") == nil && names.find("one more") == nil)
    for index in 0..<room { #expect(names.find("\(index)").map(names.text) == "\(index)") }
  }

  @Test("treats equal texts with different bytes as one name")
  func equal() throws {
    let names = Names(room: 4)
    let cell = try #require(names.add("\u{E9}"))
    #expect(names.find("e\u{301}") == nil)
    #expect(names.add("e\u{301}") == cell)
  }

  @Test("threads that add the same names at the same time get the same cells")
  func threads() throws {
    let names = Names(room: 1000)
    let found = Collected<[Int?]>()
    let threads = try (0..<4).map { start in
      try MoThread(name: "names \(start)") { _ in
        var cells = [Int?](repeating: nil, count: 1000)
        for step in 0..<1000 {
          let index = (step * 7 + start * 250) % 1000
          let text = "name \(index)"
          if let cell = names.find(text) ?? names.add(text), names.text(cell) == text { cells[index] = cell }
        }
        found.add(cells)
      }
    }
    for thread in threads { thread.join() }
    #expect(found.all.count == 4 && Set(found.all).count == 1)
    #expect(Set(found.all[0].compactMap { $0 }).count == 1000)
  }

  @Test("a channel is the same by its text and by its bytes")
  func channels() {
    let text = "a channel with a long name"
    let byBytes = ChannelName(utf8: text.utf8Span.span)
    #expect(byBytes == ChannelName(text))
    #expect(ChannelName(text).text == text && ChannelName("").text == "")
    #expect(ChannelName("another") != ChannelName(text))
  }
}
