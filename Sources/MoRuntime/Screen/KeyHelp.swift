/// What a program's keys do: the most important in a row or two, and all of them on a page that `?` shows.
package struct KeyHelp: Sendable {
  /// A key, or several, and what it does in a word or two.
  package struct Item: Sendable {
    var key: String
    var does: String
    package init(_ key: String, _ does: String) { (self.key, self.does) = (key, does) }
  }

  /// The most important first.
  package var items: [Item]

  package init(_ items: [Item]) { self.items = items }

  /// Keys as a program writes them in one line, three spaces between two: `i I instrument   space strikes`.
  package init(_ text: String) {
    let parts = text.split(separator: "   ").map { $0.drop { $0 == " " } }
    self.init(parts.filter { !$0.isEmpty }.map { Item("", String($0)) })
  }

  /// The most important keys in two rows at most; `?` for the others is never left out.
  package func block(columns: Int, hasPage: Bool = true) -> ScreenBlock {
    let wanted = hasPage ? items + [Item("?", "all keys")] : items
    return ScreenBlock(
      least: 1, most: min(2, Self.rows(wanted, columns).count), priority: ScreenBlock.Priority.help
    ) { [items] rows in
      var most = items
      var shown = wanted
      while Self.rows(shown, columns).count > rows, !most.isEmpty {
        most.removeLast()
        shown = hasPage ? most + [Item("?", "all keys")] : most
      }
      return Self.rows(shown, columns)
    }
  }

  /// All keys, one above the other, in as many columns as there is room for.
  package func page(columns: Int) -> ScreenBlock {
    let width = items.map { TerminalSize.width($0.key) }.max() ?? 0
    let cells = items.map { item in
      item.key.isEmpty
        ? ScreenLine(item.does) : ScreenLine(item.key, .bold).padded(to: width) + ScreenLine("  " + item.does)
    }
    let widest = (cells.map(\.width).max() ?? 0) + 3
    let across = max(1, columns / max(1, widest))
    let rows = (cells.count + across - 1) / across
    let lines = (0..<rows).map { row -> ScreenLine in
      var line = ScreenLine()
      for column in 0..<across where column * rows + row < cells.count {
        line = line.padded(to: column * widest) + cells[column * rows + row]
      }
      return line.cut(to: columns)
    }
    return .list(lines, priority: ScreenBlock.Priority.own)
  }

  private static func rows(_ items: [Item], _ columns: Int) -> [ScreenLine] {
    var rows: [ScreenLine] = []
    for item in items {
      let line = ScreenLine(item.key, .bold) + ScreenLine(item.key.isEmpty ? item.does : " " + item.does)
      if let last = rows.last, last.width + 3 + line.width <= columns {
        rows[rows.count - 1] += ScreenLine("   ") + line
      } else {
        rows.append(line.cut(to: columns))
      }
    }
    return rows
  }
}
