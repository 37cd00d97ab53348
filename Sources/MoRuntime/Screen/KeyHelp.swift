/// The help for a program's keys: the most important keys in one or two rows, and all keys on a page that the key `?`
/// shows.
package struct KeyHelp: Sendable {
  /// An entry of the help: one or more keys, and their action in a word or two.
  package struct Item: Sendable {
    package var key: String
    var does: String
    package init(_ key: String, _ does: String) { (self.key, self.does) = (key, does) }
  }

  /// The entries, the most important first.
  package var items: [Item]

  package init(_ items: [Item]) { self.items = items }

  /// Creates the help from a line with three spaces between two entries, such as `i I instrument   space strikes`.
  package init(_ text: String) {
    let parts = text.split(separator: "   ").map { $0.drop { $0 == " " } }
    self.init(parts.filter { !$0.isEmpty }.map { Item("", String($0)) })
  }

  /// Returns the most important entries in at most two rows; in at most four rows if there is no page of all keys.
  ///
  /// Without such a page, the last entry gives the number of the missing entries, if there is room: `and 2 more keys`.
  ///
  /// - Parameters:
  ///   - hasPage: whether there is a page of all keys; the entry `? all keys` is then always shown.
  ///   - least: the smallest number of rows, 0 or 1; 0 for keys that give way to facts in a small terminal.
  package func block(columns: Int, hasPage: Bool = true, least: Int = 1) -> ScreenBlock {
    let wanted = hasPage ? items + [Item("?", "all keys")] : items
    let most = min(hasPage ? 2 : 4, Self.rows(wanted, columns).count)
    return ScreenBlock(least: least, most: most, priority: ScreenBlock.Priority.help) { [items] rows in
      var kept = items
      var shown = wanted
      while Self.rows(shown, columns).count > rows, !kept.isEmpty {
        kept.removeLast()
        shown = hasPage ? kept + [Item("?", "all keys")] : kept
      }
      let result = Self.rows(shown, columns)
      guard !hasPage, kept.count < items.count else { return result }
      let missing = Item("", "and \(counted(items.count - kept.count, "more key"))")
      let whole = Self.rows(kept + [missing], columns)
      return whole.count > rows ? result : whole
    }
  }

  /// Returns a table of all entries, with as many columns as fit, filled column by column.
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
