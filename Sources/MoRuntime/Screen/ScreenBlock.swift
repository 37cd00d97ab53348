/// A group of rows of a picture, and how it shrinks if the terminal is small.
package struct ScreenBlock: Sendable {
  /// The smallest number of rows; with less room, the block is left out.
  var least: Int
  /// The number of rows of the block if there is room for all of them.
  var most: Int
  /// The priority: blocks with a higher number get their rows first.
  var priority: Int
  /// The column of the text cursor in the block's last row, from 0; nil for none.
  var cursor: Int?
  /// Returns the rows that the block shows if `rows` rows of the terminal are free for it.
  var fit: @Sendable (_ rows: Int) -> [ScreenLine]

  /// The priorities of the kinds of blocks, such as `status`; a block with a higher priority gets its rows first.
  package enum Priority {
    package static let input = 100
    package static let status = 90
    package static let own = 70
    package static let list = 50
    package static let level = 40
    package static let help = 30
    package static let blank = 0
  }

  package init(
    least: Int, most: Int, priority: Int, cursor: Int? = nil,
    fit: @escaping @Sendable (_ rows: Int) -> [ScreenLine]
  ) { (self.least, self.most, self.priority, self.cursor, self.fit) = (least, most, priority, cursor, fit) }

  /// Creates a block whose last rows are left out if there is not enough room.
  package init(_ lines: [ScreenLine], priority: Int, least: Int = 1, cursor: Int? = nil) {
    self.init(least: min(least, lines.count), most: lines.count, priority: priority, cursor: cursor) {
      Array(lines.prefix($0))
    }
  }

  /// An empty row between two blocks, if there is room for it.
  package static let blank = ScreenBlock([ScreenLine()], priority: Priority.blank, least: 0)

  /// Creates a block for a list; if not all rows fit, its last row gives the number of missing rows: `and 2 more`.
  ///
  /// - Parameters:
  ///   - needed: the indices of the most important rows, such as the row of this member, which stay longest if rows are
  ///     left out.
  ///   - least: the smallest number of rows; with less room, the list is left out.
  ///   - columns: the columns that a single row may use; nil for the width of the widest row.
  package static func list(
    _ lines: [ScreenLine], priority: Int = Priority.list, needed: [Int] = [], least: Int = 1,
    columns: Int? = nil
  ) -> ScreenBlock {
    ScreenBlock(least: min(least, lines.count), most: lines.count, priority: priority) { rows in
      guard lines.count > rows, rows > 0 else { return rows > 0 ? lines : [] }
      // In a single row, the most needed entry is shown, and the number of the others.
      if rows == 1, let first = needed.first(where: { lines.indices.contains($0) }) {
        let more = ScreenLine("  and \(lines.count - 1) more", .faint)
        let widest = columns ?? lines.map(\.width).max() ?? 0
        return [lines[first].cut(to: max(4, widest - more.width)) + more]
      }
      let room = rows - 1
      var kept = Set(needed.filter { lines.indices.contains($0) }.prefix(room))
      for index in lines.indices where kept.count < room { kept.insert(index) }
      let more = lines.count - kept.count
      return kept.sorted().map { lines[$0] }
        + [ScreenLine(kept.isEmpty ? "  \(counted(more, "row")), hidden" : "  and \(more) more", .faint)]
    }
  }

  /// Returns at most `count` rows of the blocks, in the order of the blocks, and the position of the text cursor.
  package static func rows(_ blocks: [ScreenBlock], _ count: Int) -> ScreenRows {
    let order = blocks.indices.sorted {
      (-blocks[$0].priority, $0) < (-blocks[$1].priority, $1)
    }
    var given = [Int](repeating: 0, count: blocks.count)
    var left = count
    for index in order where blocks[index].least <= left {
      given[index] = blocks[index].least
      left -= given[index]
    }
    for index in order where given[index] == blocks[index].least {
      let more = min(left, blocks[index].most - given[index])
      given[index] += more
      left -= more
    }
    var rows = ScreenRows()
    for (index, block) in blocks.enumerated() where given[index] > 0 {
      rows.lines += block.fit(given[index]).prefix(given[index])
      if let column = block.cursor { rows.cursor = (rows.lines.count - 1, column) }
    }
    return rows
  }
}

/// The rows that are drawn at the bottom of a terminal.
package struct ScreenRows {
  package var lines: [ScreenLine] = []
  /// The position of the text cursor, from 0; nil to hide it.
  package var cursor: (row: Int, column: Int)?

  package init(_ lines: [ScreenLine] = [], cursor: (row: Int, column: Int)? = nil) {
    (self.lines, self.cursor) = (lines, cursor)
  }
}
