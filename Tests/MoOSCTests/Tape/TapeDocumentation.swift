/// The examples of Docs/Tapes.md, so that text, code and other programs cannot diverge.
enum TapeDocumentation {
  /// Returns the fenced blocks of a kind, in order.
  static func blocks(_ kind: String) -> [String] {
    let path = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/Docs/Tapes.md"
    var blocks: [String] = []
    var open = false
    for line in String(decoding: contents(of: path), as: UTF8.self).split(separator: "\n") {
      if open && line == "```" {
        open = false
      } else if open {
        blocks[blocks.count - 1] += line + "\n"
      } else if line == "```" + kind {
        open = true
        blocks.append("")
      }
    }
    return blocks
  }

  /// The bytes of the annotated tape: on each line up to two spaces.
  static var exampleBytes: [UInt8] {
    blocks("bytes").flatMap { $0.split(separator: "\n") }.flatMap { line in
      let digits = line.prefix(24).split(separator: " ", omittingEmptySubsequences: false)
      return digits.prefix { $0.count == 2 }.flatMap { hex(String($0)) }
    }
  }
}
