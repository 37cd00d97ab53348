import MoOSC
import Testing

@Suite("Length-prefixed streams")
struct LengthPrefixTests {
  @Test("the size is 32 bits, big-endian, and does not include itself")
  func frame() {
    #expect(OSCLengthPrefix.frame(hex("2f610000 2c000000")) == hex("00000008 2f610000 2c000000"))
  }

  @Test("packets come out whole, in pieces of any size", arguments: [1, 3, 7, 64, 100_000])
  func pieces(size: Int) throws {
    var random = SplitMix64(state: UInt64(size))
    let sent = try (0..<200).map { _ in try OSCPacket.random(&random).encoded() }
    let stream = sent.flatMap { OSCLengthPrefix.frame($0) }
    var prefix = OSCLengthPrefix()
    var received: [[UInt8]] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      prefix.append(stream[start..<min(start + size, stream.count)])
      while let packet = try prefix.next() { received.append(packet) }
    }
    #expect(received == sent)
    #expect(prefix.offset == stream.count && prefix.pending == 0)
  }

  @Test("refuses an impossible size, with its position", arguments: [0, 4, 9, 65_536, 0xFFFF_FFFF])
  func absurd(size: UInt32) throws {
    var prefix = OSCLengthPrefix()
    prefix.append(hex("00000008 2f610000 2c000000"))
    prefix.append(withUnsafeBytes(of: size.bigEndian) { [UInt8]($0) })
    #expect(try prefix.next() == hex("2f610000 2c000000"))
    #expect(
      refusal { _ = try prefix.next() }
        == "not OSC at byte 12: the size of a packet is \(size), but must be a multiple of 4 from 8 to 65532")
  }
}
