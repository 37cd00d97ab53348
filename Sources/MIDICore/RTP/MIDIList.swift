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

enum MIDIList {
  /// Passes the entries of an RTP-MIDI packet's list of messages to `take`, in order; returns false if the list is
  /// malformed.
  ///
  /// The list has the bytes from the index `start` to before the index `end`. The second argument of `take` is the time
  /// of the entry, in ticks after the packet's timestamp. `isTimed` says whether the first entry has a delta time.
  ///
  /// - Source: RFC 6295, section 3.
  static func walk(
    _ bytes: Span<UInt8>, from start: Int, to end: Int, isTimed: Bool,
    _ take: (MIDIListItem, UInt32) -> Void
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
        if let message = MIDIMessage(status: byte) { take(.message(message), time) }
      case 0xF0, 0xF7:
        let data = place + 1
        place = data
        while place < end, bytes[place] < 0x80 { place += 1 }
        guard place < end, [0xF0, 0xF7, 0xF4].contains(bytes[place]) else { return false }
        take(.sysEx(data..<place, isFirst: byte == 0xF0, end: bytes[place]), time)
        place += 1
        running = 0
      default:
        if byte >= 0x80 { place += 1 }
        let status = byte >= 0x80 ? byte : running
        guard let count = MIDIMessage.dataCount(ofStatus: status), place + count <= end,
          let message = MIDIMessage(
            status: status, count > 0 ? bytes[place] : 0, count > 1 ? bytes[place + 1] : 0)
        else { return false }
        take(.message(message), time)
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
