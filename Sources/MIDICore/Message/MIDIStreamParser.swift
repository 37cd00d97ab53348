/// Reads MIDI messages from a stream of bytes: from a cable, from a device file, or from a stored stream.
///
/// The stream may arrive in pieces that are cut at any byte. The parser understands running status, and real-time
/// bytes inside other messages and inside SysEx. It drops and counts bytes that are not MIDI. It stores at most one
/// SysEx message, up to `limit` bytes.
///
/// - Source: *MIDI 1.0 Detailed Specification* 4.2, "Running status", "Real time messages".
/// - Thread: one owner.
/// - Real-time safe: yes, once created; the space for SysEx is reserved in `init`.
package struct MIDIStreamParser: Sendable {
  /// The event that a byte completed.
  package enum Event: Hashable, Sendable {
    /// A message.
    case message(MIDIMessage)
    /// A SysEx message, whose bytes are in `sysEx` until the next byte is read.
    case sysEx
  }

  /// Counts of dropped bytes and messages, by kind.
  package struct Drops: Hashable, Sendable {
    /// Undefined status bytes: F4, F5, F9, FD, and each F7 that does not end a SysEx message.
    package var undefined = 0
    /// Data bytes outside any message.
    package var stray = 0
    /// Messages that were cut off by the status byte of another message.
    package var cut = 0
    /// SysEx messages that were cut off by a status byte.
    package var cutSysEx = 0
    /// SysEx messages longer than `limit`.
    package var longSysEx = 0

    /// Creates counts of 0.
    package init() {}
  }

  /// The counts of dropped bytes and messages so far.
  package private(set) var drops = Drops()

  /// The bytes of the last SysEx message, from F0 on; F7 is the last byte when the message is complete.
  package private(set) var sysEx: [UInt8] = []

  /// The length of the longest SysEx message that the parser stores, in bytes, F0 and F7 included.
  package let limit: Int

  private enum Place { case idle, data, sysEx, longSysEx }

  private var place = Place.idle
  private var status: UInt8 = 0
  private var first: UInt8 = 0
  private var hasFirst = false

  /// Creates a parser at the start of a stream.
  ///
  /// - Parameter limit: the length of the longest SysEx message that the parser stores, in bytes; 2 or more.
  package init(sysExLimit limit: Int = 65_536) {
    self.limit = max(limit, 2)
    sysEx.reserveCapacity(self.limit)
  }

  /// Reads the next byte and returns the event that it completes, if any.
  package mutating func read(_ byte: UInt8) -> Event? {
    switch byte {
    case 0xF8...0xFF:
      guard let message = MIDIMessage(status: byte) else {
        drops.undefined += 1
        return nil
      }
      return .message(message)
    case 0x80...0xF7: return begin(byte)
    default: return readData(byte)
    }
  }

  /// Reads bytes in order, and passes each event to `emit` when the last byte of the event is read.
  package mutating func read(
    _ bytes: some Sequence<UInt8>, _ emit: (Event, borrowing MIDIStreamParser) -> Void
  ) {
    for byte in bytes {
      if let event = read(byte) { emit(event, self) }
    }
  }

  /// Discards unfinished messages, for example after a lost connection.
  package mutating func restart() {
    (place, status, hasFirst) = (.idle, 0, false)
    sysEx.removeAll(keepingCapacity: true)
  }

  private mutating func begin(_ byte: UInt8) -> Event? {
    if byte == 0xF7 { return endSysEx() }
    switch place {
    case .sysEx, .longSysEx: drops.cutSysEx += 1
    case .data where hasFirst || status >= 0xF0: drops.cut += 1
    default: break
    }
    hasFirst = false
    if byte == 0xF0 {
      (place, status) = (.sysEx, 0)
      sysEx.removeAll(keepingCapacity: true)
      sysEx.append(byte)
      return nil
    }
    guard let count = MIDIMessage.dataCount(ofStatus: byte) else {
      drops.undefined += 1
      (place, status) = (.idle, 0)
      return nil
    }
    if count == 0 {
      (place, status) = (.idle, 0)
      return MIDIMessage(status: byte).map(Event.message)
    }
    (place, status) = (.data, byte)
    return nil
  }

  private mutating func endSysEx() -> Event? {
    defer { (place, status, hasFirst) = (.idle, 0, false) }
    switch place {
    case .sysEx where sysEx.count < limit:
      sysEx.append(0xF7)
      return .sysEx
    case .sysEx, .longSysEx: drops.longSysEx += 1
    case .data where hasFirst || status >= 0xF0:
      drops.cut += 1
      drops.undefined += 1
    default: drops.undefined += 1
    }
    return nil
  }

  private mutating func readData(_ byte: UInt8) -> Event? {
    switch place {
    case .idle:
      drops.stray += 1
      return nil
    case .longSysEx: return nil
    case .sysEx:
      if sysEx.count < limit { sysEx.append(byte) } else { place = .longSysEx }
      return nil
    case .data: break
    }
    if MIDIMessage.dataCount(ofStatus: status) == 2, !hasFirst {
      (first, hasFirst) = (byte, true)
      return nil
    }
    let message = hasFirst ? MIDIMessage(status: status, first, byte) : MIDIMessage(status: status, byte)
    hasFirst = false
    // Running status applies only to channel messages.
    if status >= 0xF0 { (place, status) = (.idle, 0) }
    return message.map(Event.message)
  }
}
