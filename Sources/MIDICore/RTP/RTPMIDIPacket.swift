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

/// An entry of the list of MIDI messages in an RTP-MIDI packet.
enum MIDIListItem {
  /// A message.
  case message(MIDIMessage)
  /// A SysEx message or a piece of a message: the range of its data bytes, and whether the message begins with this
  /// piece.
  ///
  /// The byte `end` ends the piece: F7 at the end of the message, F0 if another piece follows, F4 if the message is
  /// cancelled.
  case sysEx(Range<Int>, isFirst: Bool, end: UInt8)
}

/// Functions that read and write the list of MIDI messages in an RTP-MIDI packet.
enum MIDIList {
  /// Passes the entries of an RTP-MIDI packet's list of messages to `emit`, in order; returns false if the list is
  /// malformed.
  ///
  /// The list has the bytes from the index `start` to before the index `end`. The second argument of `emit` is the time
  /// of the entry, in ticks after the packet's timestamp. `isTimed` says whether the first entry has a delta time.
  ///
  /// - Source: RFC 6295, section 3.
  static func walk(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, isTimed: Bool,
    _ emit: (MIDIListItem, UInt32) -> Void
  ) -> Bool {
    var place = start
    var time: UInt32 = 0
    var running: UInt8 = 0
    while place < end {
      if place > start || isTimed {
        guard let delta = quantity(bytes, &place, end) else { return false }
        time &+= delta
        // A list may end with a time.
        guard place < end else { return true }
      }
      let byte = bytes[place]
      switch byte {
      case 0xF8...0xFF:
        place += 1
        if let message = MIDIMessage(status: byte) { emit(.message(message), time) }
      case 0xF0, 0xF7:
        let data = place + 1
        place = data
        while place < end, bytes[place] < 0x80 { place += 1 }
        guard place < end, [0xF0, 0xF7, 0xF4].contains(bytes[place]) else { return false }
        emit(.sysEx(data..<place, isFirst: byte == 0xF0, end: bytes[place]), time)
        place += 1
        running = 0
      default:
        if byte >= 0x80 { place += 1 }
        let status = byte >= 0x80 ? byte : running
        guard let count = MIDIMessage.dataCount(ofStatus: status), place + count <= end,
          let message = MIDIMessage(
            status: status, count > 0 ? bytes[place] : 0, count > 1 ? bytes[place + 1] : 0)
        else { return false }
        emit(.message(message), time)
        place += count
        running = status < 0xF0 ? status : 0
      }
    }
    return true
  }

  /// Reads a delta time; nil if its last octet is missing.
  ///
  /// The standard allows four octets. macOS writes a negative time in five octets, as the 32 bits of its two's
  /// complement.
  private static func quantity(_ bytes: Span<UInt8>, _ place: inout Int, _ end: Int) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<5 {
      guard place < end else { return nil }
      value = value << 7 | UInt32(bytes[place] & 0x7F)
      place += 1
      if bytes[place - 1] < 0x80 { return value }
    }
    return nil
  }

  /// Appends a delta time, as one to four octets; a time above 0x0FFFFFFF is stored as 0x0FFFFFFF.
  static func append(delta: UInt32, to bytes: inout [UInt8]) {
    let delta = min(delta, 0x0FFF_FFFF)
    for shift: UInt32 in [21, 14, 7] where delta >> shift > 0 {
      bytes.append(UInt8(delta >> shift & 0x7F) | 0x80)
    }
    bytes.append(UInt8(delta & 0x7F))
  }
}
