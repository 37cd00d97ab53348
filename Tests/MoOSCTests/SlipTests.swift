import MoOSC
import Testing

@Suite("SLIP and the framing of streams")
struct SlipTests {
  @Test("frames bytes as RFC 1055 defines, with an END on either side")
  func frames() {
    #expect(OSCSlip.frame([1, 0xC0, 2, 0xDB, 3]) == [0xC0, 1, 0xDB, 0xDC, 2, 0xDB, 0xDD, 3, 0xC0])
  }

  @Test("returns the framed packets, in pieces of any size, with one or more ENDs", arguments: 1...9)
  func cuts(size: Int) throws {
    let packets: [[UInt8]] = [[1], [0xC0], [0xDB, 0xDC], Array(0...255), Array(repeating: 0xC0, count: 100)]
    var stream: [UInt8] = []
    for packet in packets { stream += OSCSlip.frame(packet) }
    stream += [0xC0, 0xC0, 9, 0xC0]
    var decoder = OSCSlip()
    var found: [[UInt8]] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      decoder.append(stream[start..<min(start + size, stream.count)])
      while let packet = try decoder.next() { found.append(packet) }
    }
    #expect(found == packets + [[9]] && decoder.pending == 0)
  }

  @Test(
    "refuses an invalid escape and a packet without end, with their positions, after the packets before them"
  )
  func nonsense() throws {
    var decoder = OSCSlip()
    decoder.append([1, 0xC0, 2, 0xDB, 0x41, 3, 0xC0])
    #expect(try decoder.next() == [1])
    #expect(throws: OSCError.malformed("after an escape comes DC or DD, not 41", byte: 4)) {
      try decoder.next()
    }
    var endless = OSCSlip()
    for _ in 0..<10 { endless.append([UInt8](repeating: 1, count: 10_000)) }
    #expect(throws: OSCError.malformed("a packet is longer than 65535 bytes", byte: 65_535)) {
      try endless.next()
    }
    #expect(endless.pending <= 65_535)
  }

  @Test("is distinguished from lengths by the first byte")
  func tells() throws {
    let packet = try OSCMessage("/a", [1]).encoded()
    for (stream, isSlip) in [
      (OSCSlip.frame(packet), true), (OSCLengthPrefix.frame(packet), false), (packet + [0xC0], true),
    ] {
      var decoder = OSCStreamDecoder()
      #expect(decoder.isSlip == nil)
      for byte in stream { decoder.append([byte]) }
      #expect(decoder.isSlip == isSlip)
      #expect(try decoder.next() == packet)
      #expect(try decoder.next() == nil)
    }
  }
}
