import MoOSC
import MoSensing
import Testing

/// Serial data comes in pieces, cut anywhere: the values must not depend on the cuts.
@Suite("A serial line in pieces")
struct SerialPiecesTests {
  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func packet(_ message: OSCMessage) throws -> [UInt8] {
    OSCSlip.frame(try OSCPacket.message(message).encoded())
  }

  /// Returns the values that a new decoder finds in the pieces, and the number of dropped lines and packets.
  private func heard(_ pieces: [[UInt8]]) -> (values: [SerialValue], dropped: Int) {
    var decoder = SerialDecoder(beginsAnywhere: false)
    var values: [SerialValue] = []
    for piece in pieces { values += decoder.decode(piece) }
    return (values, decoder.dropped)
  }

  @Test("text, noise and packets give the same values, cut at any two places")
  func twoCuts() throws {
    var stream = text("knob 0.5\r\n\n\racc: 1, -2.5;3e1\n7\t8\nhello\n")
    stream += [0xC0] + text("lost 1\nlight=300\n")
    stream += [0xFF, 0x80, 0x00] + text("\n9\n")
    stream +=
      try packet(OSCMessage("/xy", [.int32(10), .float(-4)])) + packet(OSCMessage("/x", [.float(0.25)]))
    stream += text("\n/y 6\n")
    let said: [(String, Float)] = [
      ("knob", 0.5), ("acc/1", 1), ("acc/2", -2.5), ("acc/3", 30), ("1", 7), ("2", 8), ("light", 300),
      ("1", 9), ("/xy/1", 10), ("/xy/2", -4), ("/x", 0.25), ("/y", 6),
    ]
    let whole = heard([stream])
    #expect(whole.values == said.map { SerialValue(channel: $0, value: $1) })
    // A greeting, noise before a packet's first line end, the noise bytes, and the end of the packets.
    #expect(whole.dropped == 4)
    var different = 0
    for first in 0...stream.count {
      for second in first...stream.count {
        let cut = heard([Array(stream[..<first]), Array(stream[first..<second]), Array(stream[second...])])
        if cut != whole { different += 1 }
      }
    }
    #expect(different == 0)
  }

  @Test("any stream gives the same values byte by byte, in pieces and whole")
  func anything() throws {
    var random = SeededRandom(7)
    let words = [
      "knob", "acc", "/a", "1", "-2.5", "+.5", "3.", "1e-3", "16777217", "nan", "0x1F", "--", "1.2.3",
      "x\u{E4}y",
    ]
    let gaps = [" ", ",", ";", ":", "=", "\t", "  ", ", "]
    let frames = [
      try packet(OSCMessage("/x", [.float(0.5)])), try packet(OSCMessage("/n", [.int32(10), .int32(0xC0)])),
    ]
    for _ in 0..<400 {
      var stream: [UInt8] = []
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        switch Int.random(in: 0..<10, using: &random) {
        // Noise that is in no name, so that the table of names does not fill up.
        case 0:
          stream += [[0, 7, 0x1F, 0x7F, 0x80, 0xC0, 0xDB, 0xDC, 0xFF].randomElement(using: &random) ?? 0]
        case 1: stream += frames[.random(in: 0..<2, using: &random)]
        case 2: stream.append(0xC0)
        case 3: stream += text(String(repeating: "1 ", count: .random(in: 250...260, using: &random)))
        default:
          for _ in 0..<Int.random(in: 0...5, using: &random) {
            stream += text(words.randomElement(using: &random) ?? "")
            stream += text(gaps.randomElement(using: &random) ?? "")
          }
          stream += text(["\n", "\r\n", "\r"].randomElement(using: &random) ?? "")
        }
      }
      let whole = heard([stream])
      #expect(heard(stream.map { [$0] }) == whole, "\(stream)")
      var pieces: [[UInt8]] = []
      var rest = stream[...]
      while !rest.isEmpty {
        pieces.append(Array(rest.prefix(.random(in: 1...40, using: &random))))
        rest = rest.dropFirst(pieces[pieces.count - 1].count)
      }
      #expect(heard(pieces) == whole, "\(stream)")
    }
  }

  @Test(
    "reads the longest line, and drops a longer one, in any number of pieces",
    arguments: [1, 2, 3, 512])
  func longest(pieces: Int) {
    for (length, count) in [(511, 256), (512, 256), (513, 0), (9000, 0)] {
      // 256 numbers of a digit and a separator, and then separators.
      let numbers = String(repeating: "7 ", count: min(256, (length + 1) / 2)).prefix(length)
      let line = text(numbers + String(repeating: " ", count: length - numbers.count))
      let size = (length + pieces - 1) / pieces
      var cut = stride(from: 0, to: length, by: size).map { Array(line[$0..<min($0 + size, length)]) }
      cut.append(text("\n5 6\n"))
      let values = heard(cut).values
      #expect(values.count == count + 2)
      #expect(values.suffix(2) == [SerialValue(channel: "1", value: 5), SerialValue(channel: "2", value: 6)])
      if count > 0 { #expect(values[255] == SerialValue(channel: "256", value: 7)) }
    }
  }

  @Test("accepts a name as long as a line allows")
  func longNames() {
    let one = String(repeating: "n", count: 510)
    #expect(heard([text("\(one) 1\n")]).values == [SerialValue(channel: one, value: 1)])
    let two = String(repeating: "m", count: 508)
    #expect(
      heard([text("\(two) 1 2\n")]).values == [
        SerialValue(channel: "\(two)/1", value: 1), SerialValue(channel: "\(two)/2", value: 2),
      ])
  }

  @Test("a line with an invalid word gives no value, not even of the words before it")
  func allOrNothing() {
    for line in ["1 2 x\n", "acc 1 2 nan\n", "acc 1 knob 2\n", "knob\n", " , \n", "kn\u{E4}b 1\n"] {
      let (values, dropped) = heard([text(line)])
      #expect(values.isEmpty && dropped == 1)
    }
  }
}
