import MoOSC
import Testing

@Suite("Any values, any bytes")
struct FuzzTests {
  @Test("reads back every written packet unchanged")
  func roundTrip() throws {
    var random = SplitMix64(state: 1)
    for _ in 0..<20_000 {
      let packet = OSCPacket.random(&random)
      let bytes = try packet.encoded()
      #expect(bytes.count % 4 == 0)
      let read = try OSCPacket(bytes: bytes)
      // NaN differs from itself: packets with it are compared as bytes.
      if read != packet { #expect(try read.encoded() == bytes) }
    }
  }

  @Test("no bytes crash the reader; accepted packets can be written and read again")
  func mutations() throws {
    var random = SplitMix64(state: 2)
    var accepted = 0
    for _ in 0..<100_000 {
      var bytes = try OSCPacket.random(&random).encoded()
      for _ in 0...random.upTo(3) { mutate(&bytes, &random) }
      if try survives(bytes) { accepted += 1 }
    }
    // Both paths must have been used often.
    #expect(accepted > 10_000 && accepted < 90_000)
  }

  @Test("refuses or reads random bytes, with or without a plausible beginning")
  func noise() throws {
    var random = SplitMix64(state: 3)
    let beginnings = [[], Array("/a\0\0".utf8), Array("/a\0\0,bs\0".utf8), Array("#bundle\0".utf8)]
    for _ in 0..<50_000 {
      _ = try survives(beginnings[random.upTo(3)] + random.bytes(random.upTo(15) * 4))
    }
  }

  /// Returns whether the bytes are a packet; a packet must be the same after encoding and decoding.
  private func survives(_ bytes: [UInt8]) throws -> Bool {
    let packet: OSCPacket
    do throws(OSCError) {
      packet = try OSCPacket(bytes: bytes)
    } catch {
      guard case .malformed(_, let byte) = error else { throw error }
      #expect((0...bytes.count).contains(byte))
      return false
    }
    let own = try packet.encoded()
    #expect(try OSCPacket(bytes: own).encoded() == own)
    return true
  }

  private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    guard !bytes.isEmpty else {
      bytes = random.bytes(random.upTo(12))
      return
    }
    let place = random.upTo(bytes.count - 1)
    switch random.upTo(6) {
    case 0: bytes[place] ^= 1 << UInt8(random.upTo(7))
    case 1: bytes[place] = [0, 0x2C, 0x62, 0x7F, 0x80, 0xFF][random.upTo(5)]
    case 2: bytes.removeLast(bytes.count - place)
    case 3: bytes.removeSubrange(place / 4 * 4..<min(bytes.count, place / 4 * 4 + 4))
    case 4: bytes.insert(contentsOf: random.bytes(4), at: place / 4 * 4)
    case 5: bytes.replaceSubrange(place..<min(bytes.count, place + 4), with: [0xFF, 0xFF, 0xFF, 0xFF])
    default: bytes += bytes[..<place]
    }
  }
}
