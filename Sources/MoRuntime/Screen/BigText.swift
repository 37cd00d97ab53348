/// Text in block letters, as large as the space allows: readable from some metres away.
package enum BigText {
  /// The height of a letter in rows, before the letter is enlarged.
  package static let height = 5

  /// Returns a text as rows of block letters, or as plain text if block letters do not fit `columns` and `rows`.
  ///
  /// If a character of the text has no block letter, the text is plain, since another letter would change the word.
  /// Letters are enlarged by whole factors. If there is space, a pixel has twice as many columns as rows, since a
  /// column is half as wide as a row is high.
  package static func lines(
    _ text: String, columns: Int, rows: Int, _ style: TextStyle = []
  ) -> [ScreenLine] {
    if let pixels = bitmap(text) {
      let width = pixels[0].count
      // The widest letters that fit: two columns per pixel if possible.
      for factor in stride(from: rows / height, through: 1, by: -1) {
        for across in [2 * factor, factor] where width * across <= columns {
          return pixels.flatMap { row -> [ScreenLine] in
            let line = row.map { String(repeating: $0 ? "█" : " ", count: across) }.joined()
            return Array(repeating: ScreenLine(line, style), count: factor)
          }
        }
      }
    }
    return ScreenLine(text, style).wrapped(to: columns).prefix(max(1, rows)).map(\.self)
  }

  /// Returns whether a text in block letters of the smallest size fits in `columns` columns.
  ///
  /// The result is false if a character of the text has no block letter.
  package static func fits(_ text: String, columns: Int) -> Bool {
    bitmap(text).map { $0[0].count <= columns } ?? false
  }

  /// Returns a text as rows of pixels, with a blank column between two letters; true is a filled pixel.
  ///
  /// The result is nil if a character of the text has no block letter.
  private static func bitmap(_ text: String) -> [[Bool]]? {
    var rows = [[Bool]](repeating: [], count: height)
    for letter in text.uppercased() {
      guard let glyph = glyphs[letter] else { return nil }
      for row in 0..<height {
        if !rows[row].isEmpty { rows[row].append(false) }
        rows[row] += (row < glyph.count ? glyph[row] : "").map { $0 == "#" }
      }
    }
    return rows
  }

  private static let glyphs: [Character: [String]] = {
    // Each row of the table has letters of three by five pixels.
    var glyphs: [Character: [String]] = [:]
    for (letters, rows) in table {
      for (index, letter) in letters.enumerated() {
        glyphs[letter] = rows.map { row in
          String(Array(row.padded(to: 4 * letters.count))[(4 * index)..<(4 * index + 3)])
        }
      }
    }
    (glyphs["M"], glyphs["W"]) = (
      ["#   #", "## ##", "# # #", "#   #", "#   #"], ["#   #", "#   #", "# # #", "## ##", "#   #"]
    )
    glyphs["N"] = ["#  #", "## #", "# ##", "#  #", "#  #"]
    glyphs["Q"] = ["####", "#  #", "#  #", "# ##", "####"]
    glyphs["&"] = [" ##  ", "#  # ", " ## #", "#  # ", " ## #"]
    glyphs["'"] = ["#", "#", " ", " ", " "]
    // The typographic apostrophe and dash, which some keyboards and copied texts have.
    (glyphs["\u{2019}"], glyphs["\u{2013}"]) = (glyphs["'"], glyphs["-"])
    return glyphs
  }()

  private static let table: [(String, [String])] = [
    (
      "0123456789",
      [
        "###  #  ### ### # # ### ### ### ### ###", "# # ##    #   # # # #   #     # # # # #",
        "# #  #  ### ### ### ### ###   # ### ###", "# #  #  #     #   #   # # #   # # #   #",
        "### ### ### ###   # ### ###   # ### ###",
      ]
    ),
    (
      "ABCDEFGHIJKL",
      [
        "### ##  ### ##  ### ### ### # # ###   # # # #", "# # # # #   # # #   #   #   # #  #    # # # #",
        "### ##  #   # # ##  ##  # # ###  #    # ##  #", "# # # # #   # # #   #   # # # #  #  # # # # #",
        "# # ##  ### ##  ### #   ### # # ### ### # # ###",
      ]
    ),
    (
      "OPRSTUVXYZ",
      [
        "### ### ### ### ### # # # # # # # # ###", "# # # # # # #    #  # # # # # # # #   #",
        "# # ### ##  ###  #  # # # #  #   #   #", "# # #   # #   #  #  # #  #  # #  #  #",
        "### #   # # ###  #  ###  #  # #  #  ###",
      ]
    ),
    (
      " .:,-?!/%",
      [
        "                    ###  #    # # #", "         #            #  #    #   #",
        "                ###  ##  #   #   #", "         #   #              #   #",
        "     #      #        #   #  #   # #",
      ]
    ),
    (
      "()+=;\"*#_",
      [
        " #   #              # #     # #", "#     #  #  ###  #  # # # # ###",
        "#     # ###              #  # #",
        "#     #  #  ###  #      # # ###", " #   #          #           # # ###",
      ]
    ),
  ]
}
