import MoRuntime
import Testing

@Suite("Printable text")
struct PrintableTests {
  @Test("has its escape sequences, line ends and invisible marks escaped, and all else unchanged")
  func writtenOut() {
    #expect("Ada \u{1B}[2J".printable == "Ada \\u{1b}[2J")
    #expect("a\nb\r\tc\u{7F}\u{9B}".printable == "a\\u{a}b\\u{d}\\u{9}c\\u{7f}\\u{9b}")
    #expect("\u{202E}a\u{200B}\u{2028}\u{FEFF}".printable == "\\u{202e}a\\u{200b}\\u{2028}\\u{feff}")
    #expect("太鼓 ä a\u{308} 🎻 \\ \"".printable == "太鼓 ä a\u{308} 🎻 \\ \"")
  }

  @Test("of several lines keeps its line feeds and colours, and no other sequence")
  func lines() {
    #expect("a\nb\n".printableLines == "a\nb\n")
    #expect("\u{1B}[38;5;16mqr\u{1B}[0m\n".printableLines == "\u{1B}[38;5;16mqr\u{1B}[0m\n")
    #expect("\u{1B}[2J\u{1B}]0;x\u{7}".printableLines == "\\u{1b}[2J\\u{1b}]0;x\\u{7}")
    #expect("\u{1B}[31".printableLines == "\\u{1b}[31" && "\u{1B}".printableLines == "\\u{1b}")
  }

  @Test("contains only printable characters of the first 65,536")
  func all() {
    for value in UInt32(0)...0xFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar).printable
      let stands = text.unicodeScalars.allSatisfy(\.isPrintable)
      #expect(stands && !text.isEmpty, "\(value)")
    }
  }
}
