import MoMu

extension ScreenBlock {
  /// Creates a block for a list with a chosen row, such as the parameters of an instrument.
  ///
  /// If the block gets a single row, this row has the short text of the chosen row and the number of the other rows:
  /// `▸ pedal off  and 2 more`.
  ///
  /// - Parameters:
  ///   - chosen: the index of the chosen row, which stays longest if rows are left out.
  ///   - short: the text of the chosen row without its level bar.
  ///   - columns: the width of the terminal.
  package static func list(
    _ lines: [ScreenLine], chosen: Int, short: ScreenLine, columns: Int, priority: Int
  ) -> ScreenBlock {
    let list = ScreenBlock.list(lines, priority: priority, needed: [chosen])
    return ScreenBlock(least: min(1, lines.count), most: lines.count, priority: priority) { rows in
      guard rows == 1, lines.count > 1 else { return ScreenBlock.rows([list], rows).lines }
      let more = ScreenLine("  and \(lines.count - 1) more", .faint)
      return [short.cut(to: max(4, columns - more.width)) + more]
    }
  }
}
