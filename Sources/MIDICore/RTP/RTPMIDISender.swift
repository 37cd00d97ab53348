/// Writes the packets of an RTP-MIDI stream to one receiver.
///
/// Each packet has a recovery journal of the changes that the receiver has not confirmed. Times are RTP timestamps:
/// ticks of 100 µs on the session's clock.
///
/// - Source: RFC 6295; RFC 4696 for guard packets.
/// - Thread: one owner.
/// - Real-time safe: yes, once its buffers have grown; `takePacket` appends to the caller's buffer.
package struct RTPMIDISender: Sendable {
  /// The largest size of a packet's list of MIDI messages, in bytes: with a journal, the packet fits a network frame.
  package static let listLimit = 512
  /// The largest piece of a SysEx message that is sent at once, in data bytes.
  package static let pieceLimit = 240

  /// The stream's SSRC, its ID ("synchronisation source") in RTP.
  package let source: UInt32
  /// The payload type of AppleMIDI, with the marker bit 0.
  static let payloadType: UInt8 = 0x61

  private let firstNumber: Int
  /// The number of the next packet, counted without wraparound from `firstNumber`.
  private var next: Int
  /// The number of the first packet that the receiver has not confirmed.
  private var unconfirmed: Int
  /// The number of the last packet that contained a message.
  private var lastCommand: Int
  private var state = JournalState()
  private var list: [UInt8] = []
  private var listTime: UInt32 = 0
  private var lastTime: UInt32 = 0
  private var guards = 0
  private var commandTime: UInt32 = 0

  /// Creates a sender at the start of its stream.
  ///
  /// - Parameters:
  ///   - source: the synchronisation source (SSRC) of the stream.
  ///   - first: the first packet's number, which RFC 3550 requires to be random.
  package init(source: UInt32, first: UInt16) {
    self.source = source
    firstNumber = Int(first)
    (next, unconfirmed, lastCommand) = (Int(first), Int(first), Int(first) - 1)
    list.reserveCapacity(Self.listLimit + 16)
  }

  /// Whether no message waits to be sent with the next packet.
  package var isEmpty: Bool { list.isEmpty }

  /// The number of the last packet; nil before the first packet.
  package var lastNumber: UInt16? { next > firstNumber ? UInt16(truncatingIfNeeded: next - 1) : nil }

  /// Whether the receiver has confirmed the last packet that contained a message.
  package var isConfirmed: Bool { unconfirmed > lastCommand }

  /// Adds a message to the next packet; returns false, and adds nothing, if the packet is full.
  ///
  /// If the result is false, call `takePacket`, and then add the message again.
  ///
  /// - Parameter time: the time of the message, as an RTP timestamp.
  package mutating func add(_ message: MIDIMessage, at time: UInt32) -> Bool {
    guard list.count + 8 <= Self.listLimit else { return false }
    begin(at: time)
    message.bytes.append(to: &list)
    return true
  }

  /// Adds as much of a SysEx message to the next packet as fits; returns false if the rest needs a later packet.
  ///
  /// - Parameters:
  ///   - bytes: a whole message, from F0 to F7, or a part of it; the other parts follow in order.
  ///   - place: the number of bytes already added; initially 0.
  ///   - time: the time of the message, as an RTP timestamp.
  package mutating func add(sysEx bytes: Span<UInt8>, from place: inout Int, at time: UInt32) -> Bool {
    let beginsMessage = place == 0 && bytes.count > 0 && bytes[0] == 0xF0
    let endsMessage = bytes.count > 0 && bytes[bytes.count - 1] == 0xF7
    let end = endsMessage ? bytes.count - 1 : bytes.count
    if beginsMessage { place = 1 }
    guard place < end || beginsMessage || endsMessage && place == end else { return true }
    let room = min(Self.listLimit - list.count - 8, Self.pieceLimit)
    guard room > 0 else {
      if beginsMessage { place = 0 }
      return false
    }
    begin(at: time)
    let stop = min(place + room, end)
    list.append(beginsMessage ? 0xF0 : 0xF7)
    for index in place..<stop { list.append(bytes[index]) }
    list.append(stop == end && endsMessage ? 0xF7 : 0xF0)
    place = stop == end ? bytes.count : stop
    return stop == end
  }

  private mutating func begin(at time: UInt32) {
    if list.isEmpty {
      (listTime, lastTime) = (time, time)
    } else {
      let delta = UInt32(max(0, Int32(bitPattern: time &- lastTime)))
      MIDIList.append(delta: delta, to: &list)
      lastTime = lastTime &+ delta
    }
  }

  /// Appends the next packet to `packet`: the messages that were added, if any, and the journal.
  ///
  /// - Parameters:
  ///   - packet: receives the bytes.
  ///   - now: the present time, which becomes the RTP timestamp of a packet without messages.
  package mutating func takePacket(_ packet: inout [UInt8], at now: UInt32) {
    let hasCommands = !list.isEmpty
    let stamp = hasCommands ? listTime : now
    let number = UInt16(truncatingIfNeeded: next)
    for byte in [0x80, Self.payloadType, UInt8(number >> 8), UInt8(number & 0xFF)] { packet.append(byte) }
    for word in [stamp, source] {
      for shift: UInt32 in [24, 16, 8, 0] { packet.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    if list.count > 15 {
      packet.append(0xC0 | UInt8(list.count >> 8))
      packet.append(UInt8(list.count & 0xFF))
    } else {
      packet.append(0x40 | UInt8(list.count))
    }
    packet += list
    state.write(to: &packet, packet: next, from: unconfirmed, now: stamp)
    if hasCommands {
      remember(at: stamp)
      list.removeAll(keepingCapacity: true)
      (lastCommand, guards, commandTime) = (next, 0, now)
    } else {
      guards += 1
    }
    next += 1
  }

  private mutating func remember(at stamp: UInt32) {
    let number = next
    var state = JournalState(channels: [], sequencer: JournalSequencer())
    swap(&state, &self.state)
    defer { swap(&state, &self.state) }
    _ = MIDIList.walk(list.span, from: 0, to: list.count, isTimed: false) { item, time in
      if case .message(let message) = item { state.record(message, packet: number, time: stamp &+ time) }
    }
  }

  /// Processes the receiver's confirmation that everything up to the packet `number` has arrived, or was repaired.
  ///
  /// The call ignores numbers that are already confirmed, and numbers of packets that were not sent.
  package mutating func confirm(_ number: UInt16) {
    let back = UInt16(truncatingIfNeeded: next - 1) &- number
    let confirmed = next - 1 - Int(back)
    if back < 0x8000, confirmed >= unconfirmed { unconfirmed = confirmed + 1 }
  }

  /// The time of the next guard packet, as an RTP timestamp; nil if all messages are confirmed.
  ///
  /// A guard packet has no messages, and reveals a loss of the packets before it. Guard packets follow 0.1, 0.2, 0.4
  /// and 0.8 s after the last packet with a message, then every second.
  package var guardTime: UInt32? {
    guard !isConfirmed else { return nil }
    let wait: UInt32 = guards < 4 ? 1000 << UInt32(guards) : 8000 &+ UInt32(guards - 3) &* 10_000
    return commandTime &+ wait
  }
}
