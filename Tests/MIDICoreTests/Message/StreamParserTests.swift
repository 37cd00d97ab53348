import MIDICore
import Testing

@Suite("MIDI stream parser")
struct StreamParserTests {
  private func read(_ bytes: [UInt8], limit: Int = 1000) -> ([String], MIDIStreamParser.Drops) {
    var parser = MIDIStreamParser(sysExLimit: limit)
    var said: [String] = []
    parser.read(bytes) { event, parser in
      switch event {
      case .message(let message): said.append("\(message)")
      case .sysEx: said.append(parser.sysEx.map { String($0, radix: 16) }.joined(separator: " "))
      }
    }
    return (said, parser.drops)
  }

  private func say(_ messages: MIDIMessage...) -> [String] { messages.map { "\($0)" } }

  @Test("reads every status of the specification, and writes the same bytes")
  func everyStatus() {
    for status in UInt8(0x80)...0xFF where status != 0xF0 && status != 0xF7 {
      let bytes: [UInt8] = [status, 0x12, 0x34]
      guard let count = MIDIMessage.dataCount(ofStatus: status) else {
        #expect([0xF4, 0xF5, 0xF9, 0xFD].contains(status))
        #expect(MIDIMessage(status: status) == nil)
        continue
      }
      let message = MIDIMessage(status: status, 0x12, 0x34)
      #expect(message.map { (0..<$0.bytes.count).map($0.bytes.subscripted) } == Array(bytes[...count]))
      #expect(read(Array(bytes[...count])).0 == message.map { ["\($0)"] })
    }
  }

  @Test("reads running status, also after real-time bytes")
  func runningStatus() {
    let (said, drops) = read(hex("90 3C 40 F8 3E F8 41 3C 00 C5 07 08"))
    #expect(
      said
        == say(
          .noteOn(0, 60, velocity: 64), .clock, .clock, .noteOn(0, 62, velocity: 65),
          .noteOn(0, 60, velocity: 0), .program(5, 7), .program(5, 8)))
    #expect(drops == MIDIStreamParser.Drops())
  }

  @Test("ends running status at a system message, and drops data after it")
  func endedStatus() {
    let (said, drops) = read(hex("90 3C 40 F2 01 02 3C 40 F6 05"))
    #expect(said == say(.noteOn(0, 60, velocity: 64), .songPosition(257), .tuneRequest))
    #expect(drops.stray == 3)
  }

  @Test("reads real-time bytes inside SysEx, and SysEx in pieces")
  func sysEx() {
    #expect(read(hex("F0 7E 00 F8 09 FE 01 F7")).0 == say(.clock, .activeSensing) + ["f0 7e 0 9 1 f7"])
  }

  @Test("drops SysEx that another status cuts off, and reads that message")
  func cutSysEx() {
    let (said, drops) = read(hex("F0 01 02 90 3C 40"))
    #expect(said == say(.noteOn(0, 60, velocity: 64)))
    #expect(drops.cutSysEx == 1)
  }

  @Test("drops SysEx beyond its limit, and reads the next message")
  func longSysEx() {
    let long = [0xF0] + [UInt8](repeating: 1, count: 100_000) + [0xF7]
    let (said, drops) = read(long + hex("F0 05 F7 80 01 02"), limit: 64)
    #expect(said == ["f0 5 f7"] + say(.noteOff(0, 1, velocity: 2)))
    #expect(drops.longSysEx == 1)
    #expect(read([0xF0] + [UInt8](repeating: 1, count: 62) + [0xF7], limit: 64).0.count == 1)
    #expect(read([0xF0] + [UInt8](repeating: 1, count: 63) + [0xF7], limit: 64).0.isEmpty)
  }

  @Test("counts undefined status bytes: F9 and FD interrupt no message, F4 and F5 end it")
  func undefined() {
    let (said, drops) = read(hex("90 3C F9 40 FD F4 3C 40 F5 F7"))
    #expect(said == say(.noteOn(0, 60, velocity: 64)))
    #expect(drops.undefined == 5)
    #expect(drops.stray == 2)
  }

  @Test("counts messages that are cut off")
  func cutMessages() {
    let (said, drops) = read(hex("90 3C 91 3C 40 F2 01 92 05 06"))
    #expect(said == say(.noteOn(1, 60, velocity: 64), .noteOn(2, 5, velocity: 6)))
    #expect(drops.cut == 2)
  }

  @Test("gives the same messages for any split into calls, and restores random messages")
  func randomMessages() {
    var random = SplitMix64(state: 1)
    var bytes: [UInt8] = []
    var expected: [MIDIMessage] = []
    while expected.count < 20_000 {
      let status = UInt8.random(in: 0x80...0xFF, using: &random)
      let data = (0..<2).map { _ in UInt8.random(in: 0...127, using: &random) }
      guard let message = MIDIMessage(status: status, data[0], data[1]) else { continue }
      message.bytes.append(to: &bytes)
      expected.append(message)
    }
    var parser = MIDIStreamParser(sysExLimit: 16)
    var found: [MIDIMessage] = []
    for byte in bytes {
      if case .message(let message)? = parser.read(byte) { found.append(message) }
    }
    #expect(found == expected)
    #expect(parser.drops == MIDIStreamParser.Drops())
  }
}

extension MIDIBytes {
  /// The byte at an index, as a function.
  func subscripted(_ index: Int) -> UInt8 { self[index] }
}
