/// Reads the packets of an RTP-MIDI stream, and repairs losses from the recovery journal in later packets.
///
/// After a gap between packets, the receiver compares the journal with its own state, and repairs only the
/// differences. It drops late and duplicate packets, since it already has their contents. It also counts and drops
/// malformed packets.
///
/// - Source: RFC 6295, appendices A and B.
/// - Thread: one owner.
/// - Real-time safe: yes, except SysEx.
package struct RTPMIDIReceiver: Sendable {
  /// An event for the owner of the receiver: a message of a packet, or a message that repairs a loss.
  package enum Event: Hashable, Sendable {
    /// A message with its RTP timestamp; `isRepair` is true if the message comes from a journal.
    case message(MIDIMessage, time: UInt32, isRepair: Bool)
    /// A SysEx message, from F0 to F7, with its RTP timestamp.
    case sysEx([UInt8], time: UInt32)
  }

  /// Counts of packets and repairs so far.
  package struct Counts: Hashable, Sendable {
    /// The number of packets that were read and not dropped.
    package var packets = 0
    /// The number of packets that were missing when a newer packet arrived: they were lost, or came late.
    package var lost = 0
    /// The number of packets that were dropped because they were duplicate or late.
    package var late = 0
    /// The number of packets that are not valid RTP-MIDI, or that belong to another stream, with an SSRC other than
    /// `source`.
    package var malformed = 0
    /// The number of malformed recovery journals.
    package var badJournals = 0
    /// The number of messages that the receiver created to repair losses.
    package var repairs = 0
    /// The number of gaps between packets that the recovery journal could not repair completely.
    package var uncovered = 0
    /// The number of SysEx messages that were cut off, cancelled, or too long.
    package var cutSysEx = 0
  }

  /// The counts so far.
  package private(set) var counts = Counts()
  /// The stream's SSRC, its ID ("synchronisation source") in RTP; if nil, the first packet sets it.
  package private(set) var source: UInt32?
  /// The number of the newest packet; nil before the first packet.
  package var newest: UInt16? { last.map { UInt16(truncatingIfNeeded: $0) } }

  var state = JournalState()
  /// The number of the newest packet, counted without wraparound; nil before the first packet.
  private(set) var last: Int?
  private var lateRun = (number: UInt16(0), count: 0)
  private var sysEx: [UInt8] = []
  private var isInSysEx = false
  private let sysExLimit: Int

  /// Creates a receiver for one stream.
  ///
  /// - Parameters:
  ///   - source: the stream's SSRC; nil to use the SSRC of the first packet.
  ///   - limit: the length of the longest SysEx message, in bytes.
  package init(source: UInt32? = nil, sysExLimit limit: Int = 65_536) {
    (self.source, sysExLimit) = (source, limit)
  }

  /// Reads a packet; `emit` receives first the repairs from the packet's journal, then the packet's own messages.
  ///
  /// - Returns: false if the packet was dropped.
  @discardableResult
  package mutating func receive(_ bytes: Span<UInt8>, _ emit: (Event) -> Void) -> Bool {
    guard let packet = RTPMIDIPacket(bytes), source == nil || source == packet.source else {
      counts.malformed += 1
      return false
    }
    guard
      MIDIList.walk(
        bytes, from: packet.list.lowerBound, to: packet.list.upperBound,
        isTimed: packet.isTimed, { _, _ in })
    else {
      counts.malformed += 1
      return false
    }
    guard let number = accept(packet.number) else {
      counts.late += 1
      return false
    }
    source = packet.source
    counts.packets += 1
    let before = last
    last = number
    if before == nil || number > (before ?? number) + 1 {
      if let before { counts.lost += number - before - 1 }
      endSysEx(isCut: isInSysEx)
      repair(packet, bytes, after: before, number: number, emit)
    }
    _ = MIDIList.walk(
      bytes, from: packet.list.lowerBound, to: packet.list.upperBound, isTimed: packet.isTimed
    ) { item, delta in
      let time = packet.time &+ delta
      switch item {
      case .message(let message):
        state.record(message, packet: number, time: time)
        emit(.message(message, time: time, isRepair: false))
      case .sysEx(let range, let isFirst, let end):
        join(bytes, range, isFirst: isFirst, end: end).map { emit(.sysEx($0, time: time)) }
      }
    }
    return true
  }

  /// Returns a packet's number, counted without wraparound; nil if the packet is late or a duplicate.
  private mutating func accept(_ number: UInt16) -> Int? {
    guard let last else { return Int(number) }
    let step = Int(Int16(bitPattern: number &- UInt16(truncatingIfNeeded: last)))
    if step > 0 {
      lateRun.count = 0
      return last + step
    }
    // A sender that restarted, or a forged number: three consecutive numbers that are far back are accepted.
    lateRun = number == lateRun.number &+ 1 ? (number, lateRun.count + 1) : (number, 1)
    return step < -256 && lateRun.count >= 3 ? last + 0x1_0000 + step : nil
  }

  /// Releases every sounding note, for example after the peer is lost.
  package mutating func releaseAll(at time: UInt32, _ emit: (Event) -> Void) {
    for index in 0..<16 {
      for note in 0..<128 where state.channels[index].notes[note].isSounding {
        let message = MIDIMessage.noteOff(
          MIDIChannel(lowBitsOf: UInt8(index)), MIDIUInt7(clamping: note), velocity: 64)
        send(message, packet: last ?? 0, at: time, emit)
      }
    }
  }

  /// Passes the repair message `message` to `emit`, and updates the receiver's state and counts with this message.
  mutating func send(_ message: MIDIMessage, packet: Int, at time: UInt32, _ emit: (Event) -> Void) {
    counts.repairs += 1
    state.record(message, packet: packet, time: time)
    emit(.message(message, time: time, isRepair: true))
  }

  private mutating func repair(
    _ packet: RTPMIDIPacket, _ bytes: Span<UInt8>, after before: Int?, number: Int, _ emit: (Event) -> Void
  ) {
    var isCovered = false
    if let start = packet.journal {
      var check = JournalReader(bytes, from: start, to: bytes.count)
      if check.walk({ _ in }) {
        var repair = JournalRepair(number: number, checkpoint: check.checkpoint, time: packet.time)
        isCovered = repair.isCovered(after: before)
        if !isCovered { repair.suspectAll(state) }
        var reader = JournalReader(bytes, from: start, to: bytes.count)
        _ = reader.walk { repair.apply($0, to: &self, emit) }
        repair.end(&self, emit)
      } else {
        counts.badJournals += 1
        if before != nil { releaseAll(at: packet.time, emit) }
      }
    } else if before != nil {
      releaseAll(at: packet.time, emit)
    }
    if !isCovered, before != nil { counts.uncovered += 1 }
  }

  private mutating func join(_ bytes: Span<UInt8>, _ range: Range<Int>, isFirst: Bool, end: UInt8) -> [UInt8]?
  {
    if isFirst {
      endSysEx(isCut: isInSysEx)
      isInSysEx = true
      sysEx.append(0xF0)
    }
    guard isInSysEx else { return nil }
    guard end != 0xF4, sysEx.count + range.count < sysExLimit else {
      endSysEx(isCut: true)
      return nil
    }
    for place in range { sysEx.append(bytes[place]) }
    guard end == 0xF7 else { return nil }
    sysEx.append(0xF7)
    defer { endSysEx(isCut: false) }
    return sysEx
  }

  private mutating func endSysEx(isCut: Bool) {
    if isCut { counts.cutSysEx += 1 }
    isInSysEx = false
    sysEx.removeAll(keepingCapacity: true)
  }
}
