/// The parts of an RTP-MIDI packet.
///
/// - Source: RFC 3550, section 5.1; RFC 6295, sections 2 and 3.
struct RTPMIDIPacket {
  let number: UInt16
  let time: UInt32
  let source: UInt32
  /// The range of the list of MIDI messages in the packet's bytes.
  let list: Range<Int>
  /// Whether the first message of the list has a delta time.
  let isTimed: Bool
  /// The index of the journal's first byte in the packet; nil if the packet has no journal.
  let journal: Int?

  /// Reads the headers of a packet; nil if the bytes are not an RTP-MIDI packet.
  ///
  /// The marker bit may be 0 or 1, since programs differ in its use.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= 13, bytes[0] >> 6 == 2, bytes[1] & 0x7F == RTPMIDISender.payloadType else {
      return nil
    }
    number = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    time = Self.word(bytes, 4)
    source = Self.word(bytes, 8)
    var place = 12 + 4 * Int(bytes[0] & 0x0F)
    if bytes[0] & 0x10 != 0 {
      guard place + 4 <= bytes.count else { return nil }
      place += 4 + 4 * Int(Self.word(bytes, place) & 0xFFFF)
    }
    guard place < bytes.count else { return nil }
    let header = bytes[place]
    var length = Int(header & 0x0F)
    place += 1
    if header & 0x80 != 0 {
      guard place < bytes.count else { return nil }
      length = length << 8 | Int(bytes[place])
      place += 1
    }
    guard place + length <= bytes.count else { return nil }
    list = place..<place + length
    isTimed = header & 0x20 != 0
    journal = header & 0x40 != 0 ? place + length : nil
  }

  private static func word(_ bytes: Span<UInt8>, _ place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[place + $1]) }
  }
}
