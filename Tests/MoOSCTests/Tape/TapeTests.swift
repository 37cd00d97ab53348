import Glibc
import MoOSC
import Testing

@Suite("Recording and playing tapes")
struct TapeTests {
  /// Returns a bundle preceded by its size, as on a tape.
  private func packet(_ tag: UInt64, _ messages: OSCMessage...) throws -> [UInt8] {
    OSCLengthPrefix.frame(try OSCBundle(OSCTimeTag(rawValue: tag), messages: messages).encoded())
  }

  private func times(_ reader: OSCTapeReader) throws -> [Int64] {
    var times: [Int64] = []
    while let reading = try reader.next() { times.append(reading.nanoseconds) }
    return times
  }

  private let second: UInt64 = 1 << 32

  @Test("replays every time and message, to the nanosecond, over many pieces of the file")
  func roundTrip() throws {
    var random = SplitMix64(state: 5)
    let file = TemporaryFile()
    let writer = try OSCTapeWriter(
      path: file.path, startNanosecondsSince1970: 1_795_262_400_123_456_789, madeBy: "t")
    var sent: [OSCTapeReading] = []
    var time: Int64 = 0
    for _ in 0..<10_000 {
      time += Int64(random.upTo(3_000_000))
      // Only finite values, which are equal to themselves.
      let values: [OSCArgument] = [
        .float(Float(random.upTo(100))), .string(random.text()), .blob(random.bytes(5)),
      ]
      sent.append(
        OSCTapeReading(nanoseconds: time, message: OSCMessage("/any/" + "\(random.upTo(9))", values)))
    }
    for reading in sent { try writer.write(reading.message, atNanoseconds: reading.nanoseconds) }
    try writer.close()
    let reader = try OSCTapeReader(path: file.path)
    for _ in 0..<2 {
      #expect(reader.start.nanosecondsSince1970 == 1_795_262_400_123_456_789)
      var received: [OSCTapeReading] = []
      while let reading = try reader.next() { received.append(reading) }
      #expect(received == sent)
      try reader.rewind()
    }
  }

  @Test("records a late message at the time of the one before, and the tape plays")
  func late() throws {
    let file = TemporaryFile()
    let writer = try OSCTapeWriter(path: file.path, startNanosecondsSince1970: 0, madeBy: "t")
    for time: Int64 in [-5, 20, 10, 30] { try writer.write(OSCMessage("/a"), atNanoseconds: time) }
    try writer.close()
    #expect(try times(OSCTapeReader(path: file.path)) == [0, 20, 20, 30])
  }

  @Test("the file contains all packets older than a second, and only whole ones")
  func flushing() throws {
    let file = TemporaryFile()
    let writer = try OSCTapeWriter(path: file.path, startNanosecondsSince1970: 0, madeBy: "t")
    #expect(try times(OSCTapeReader(path: file.path)) == [])
    for step: Int64 in 0..<500 {
      try writer.write(OSCMessage("/a", [0.0]), atNanoseconds: step * 10_000_000)
      let reader = try OSCTapeReader(path: file.path)
      let last = try times(reader).last ?? 0
      #expect(step * 10_000_000 - last <= 1_000_000_000 && reader.warning == nil)
    }
    try writer.flush()
    #expect(try times(OSCTapeReader(path: file.path)).count == 500)
  }

  @Test("writes a burst after 64 KiB, whatever the time")
  func burst() throws {
    let file = TemporaryFile()
    let writer = try OSCTapeWriter(path: file.path, startNanosecondsSince1970: 0, madeBy: "t")
    for _ in 0..<100 {
      try writer.write(OSCMessage("/a", [.blob([UInt8](repeating: 7, count: 10_000))]), atNanoseconds: 1)
    }
    #expect(file.bytes.count > 100 * 10_000 - 65_536)
  }

  @Test("a tape without a header starts at its first bundle; bundles may contain several messages and nest")
  func headerless() throws {
    let inner = OSCBundle(OSCTimeTag(rawValue: 9 * second + second / 2), messages: [OSCMessage("/c")])
    let outer = OSCBundle(
      OSCTimeTag(rawValue: 9 * second),
      [.message(OSCMessage("/a")), .message(OSCMessage("/b")), .bundle(inner)])
    let file = TemporaryFile(
      try packet(7 * second, OSCMessage("/first")) + OSCLengthPrefix.frame(outer.encoded()))
    let reader = try OSCTapeReader(path: file.path)
    #expect(reader.madeBy == nil && reader.start.rawValue == 7 * second)
    var received: [OSCTapeReading] = []
    while let reading = try reader.next() { received.append(reading) }
    #expect(received.map(\.message.address) == ["/first", "/a", "/b", "/c"])
    #expect(received.map(\.nanoseconds) == [0, 2_000_000_000, 2_000_000_000, 2_500_000_000])
  }

  @Test("a tape may continue past 7 February 2036, when the seconds of time tags overflow")
  func acrossEras() throws {
    let file = TemporaryFile(
      try packet(0xFFFF_FFFF << 32, OSCMessage("/a")) + packet(1 << 32 | 1 << 31, OSCMessage("/a")))
    #expect(try times(OSCTapeReader(path: file.path)) == [0, 2_500_000_000])
  }
}
