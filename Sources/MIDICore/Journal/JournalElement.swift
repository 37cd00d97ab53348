/// A fact in the recovery journal of an RTP-MIDI packet; a receiver must apply the facts of a journal in order.
enum JournalElement: Hashable, Sendable {
  /// The following facts are about this channel.
  case channel(MIDIChannel)
  /// A program, and its bank if a bank was selected.
  case program(MIDIUInt7, bank: MIDIUInt14?)
  /// A controller's value.
  case control(MIDIUInt7, MIDIUInt7)
  /// A controller number, such as 123 (all notes off), and the number of messages with this controller number, modulo
  /// 64.
  case count(MIDIUInt7, UInt8)
  /// The number of a controller, such as a pedal, and the number of times that the controller was switched on or off,
  /// modulo 64.
  case toggles(MIDIUInt7, UInt8)
  /// The value of a parameter, as its high and low seven bits, and the increments minus the decrements since that
  /// value.
  ///
  /// All three are nil if the parameter was only selected.
  case parameter(MIDIParameter, high: MIDIUInt7?, low: MIDIUInt7?, steps: Int?)
  /// The selected parameter.
  case selection(MIDIParameterSelection)
  /// The position of the pitch wheel.
  case bend(MIDIUInt14)
  /// A released key: its note number.
  case noteOff(MIDIUInt7)
  /// A pressed key: its note number and velocity; `isPlayed` is false if the note is now too late to play.
  case noteOn(MIDIUInt7, MIDIUInt7, isPlayed: Bool)
  /// The channel's pressure.
  case pressure(MIDIUInt7)
  /// A key's pressure.
  case keyPressure(MIDIUInt7, MIDIUInt7)
  /// The state of the sender's sequencer: whether the sequencer runs, and at which position.
  case sequencer(JournalSequencer)
}

/// Reads a recovery journal.
///
/// It reads the chapters P, C, M, W, N, T, A and Q, and skips E, D, V, F and X by their lengths. It never reads outside
/// the journal's bytes, even if lengths in the journal are wrong.
struct JournalReader: ~Escapable {
  private let bytes: Span<UInt8>
  private var place: Int
  private var end: Int

  /// The number of the first packet that the journal covers; 0 before `walk`.
  private(set) var checkpoint: UInt16 = 0

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, from place: Int, to end: Int) {
    (self.bytes, self.place, self.end) = (bytes, place, end)
  }

  private mutating func byte() -> UInt8? {
    guard place < end else { return nil }
    place += 1
    return bytes[place - 1]
  }

  private mutating func word() -> Int? {
    guard place + 2 <= end else { return nil }
    place += 2
    return Int(bytes[place - 2]) << 8 | Int(bytes[place - 1])
  }

  /// Passes the facts of the journal to `emit`, in order; returns false if the journal is malformed.
  ///
  /// If the journal is malformed, `emit` may have received some facts before the fault.
  @_lifetime(self: copy self)
  mutating func walk(_ emit: (JournalElement) -> Void) -> Bool {
    guard let flags = byte(), let first = word() else { return false }
    checkpoint = UInt16(first)
    if flags & 0x40 != 0, !system(emit) { return false }
    guard flags & 0x20 != 0 else { return true }
    for _ in 0...Int(flags & 0x0F) where !channel(emit) { return false }
    return true
  }

  @_lifetime(self: copy self)
  private mutating func system(_ emit: (JournalElement) -> Void) -> Bool {
    let start = place
    guard let header = word() else { return false }
    let stop = start + header & 0x3FF
    guard header & 0x3FF >= 2, stop <= end else { return false }
    let outer = end
    end = stop
    defer { (place, end) = (stop, outer) }
    if header & 0x4000 != 0, !skipSimple() { return false }
    if header & 0x2000 != 0, byte() == nil { return false }
    guard header & 0x1000 != 0 else { return true }
    guard let flags = byte() else { return false }
    var sequencer = JournalSequencer()
    sequencer.isRunning = flags & 0x40 != 0
    sequencer.hasBegun = flags & 0x20 != 0
    if flags & 0x10 != 0 {
      guard let low = word() else { return false }
      sequencer.clocks = Int(flags & 7) << 16 | low
    }
    emit(.sequencer(sequencer))
    return true
  }

  /// Skips chapter D, which has resets, tune requests, song selections and undefined messages; returns false if the
  /// chapter is malformed.
  private mutating func skipSimple() -> Bool {
    guard let flags = byte() else { return false }
    // Reset, tune request and song select have one byte; undefined commands give their length.
    for bit: UInt8 in [0x40, 0x20, 0x10] where flags & bit != 0 && byte() == nil { return false }
    for bit: UInt8 in [0x08, 0x04] where flags & bit != 0 {
      let start = place
      guard let header = word(), header & 0x3FF >= 2, start + header & 0x3FF <= end else { return false }
      place = start + header & 0x3FF
    }
    for bit: UInt8 in [0x02, 0x01] where flags & bit != 0 {
      let start = place
      guard let header = byte(), header & 0x1F >= 1, start + Int(header & 0x1F) <= end else { return false }
      place = start + Int(header & 0x1F)
    }
    return true
  }

  @_lifetime(self: copy self)
  private mutating func channel(_ emit: (JournalElement) -> Void) -> Bool {
    let start = place
    guard let header = word(), let chapters = byte() else { return false }
    let stop = start + header & 0x3FF
    guard header & 0x3FF >= 3, stop <= end else { return false }
    let outer = end
    end = stop
    // Bytes after the known chapters are skipped.
    defer { (place, end) = (stop, outer) }
    emit(.channel(MIDIChannel(lowBitsOf: UInt8(header >> 11 & 0x0F))))
    if chapters & 0x80 != 0, !program(emit) { return false }
    if chapters & 0x40 != 0, !controls(emit) { return false }
    if chapters & 0x20 != 0, !parameters(emit) { return false }
    if chapters & 0x10 != 0 {
      guard let first = byte(), let second = byte() else { return false }
      emit(.bend(MIDIUInt14(high: MIDIUInt7(lowBitsOf: second), low: MIDIUInt7(lowBitsOf: first))))
    }
    if chapters & 0x08 != 0, !notes(emit) { return false }
    if chapters & 0x04 != 0, !pairs({ _, _ in }) { return false }
    if chapters & 0x02 != 0 {
      guard let value = byte() else { return false }
      emit(.pressure(MIDIUInt7(lowBitsOf: value)))
    }
    guard chapters & 0x01 != 0 else { return true }
    return pairs { note, value in
      // With the X bit, the pressure was reset since then.
      if value < 0x80 { emit(.keyPressure(MIDIUInt7(lowBitsOf: note), MIDIUInt7(lowBitsOf: value))) }
    }
  }

  @_lifetime(self: copy self)
  private mutating func program(_ emit: (JournalElement) -> Void) -> Bool {
    guard let program = byte(), let high = byte(), let low = byte() else { return false }
    let bank = MIDIUInt14(high: MIDIUInt7(lowBitsOf: high), low: MIDIUInt7(lowBitsOf: low))
    emit(.program(MIDIUInt7(lowBitsOf: program), bank: high >= 0x80 ? bank : nil))
    return true
  }

  /// Reads a list of byte pairs, and passes each pair to `emit`; returns false if the list is malformed.
  ///
  /// The byte before the list is the number of pairs minus 1.
  @_lifetime(self: copy self)
  private mutating func pairs(_ emit: (UInt8, UInt8) -> Void) -> Bool {
    guard let length = byte() else { return false }
    let count = Int(length & 0x7F) + 1
    guard place + 2 * count <= end else { return false }
    for _ in 0..<count {
      emit(bytes[place], bytes[place + 1])
      place += 2
    }
    return true
  }

  /// Reads chapter C (controllers), and passes commands (controllers from 120 on) to `emit` before the values of other
  /// controllers.
  ///
  /// So `emit` receives a reset of all controllers before the values that were set after the reset.
  @_lifetime(self: copy self)
  private mutating func controls(_ emit: (JournalElement) -> Void) -> Bool {
    let start = place
    guard
      pairs({ number, value in
        if number & 0x7F >= 120 { Self.emit(number, value, emit) }
      })
    else { return false }
    place = start
    return pairs { number, value in
      if number & 0x7F < 120 { Self.emit(number, value, emit) }
    }
  }

  private static func emit(_ number: UInt8, _ value: UInt8, _ emit: (JournalElement) -> Void) {
    let number = MIDIUInt7(lowBitsOf: number)
    switch value & 0xC0 {
    case 0xC0: emit(.count(number, value & 0x3F))
    case 0x80: emit(.toggles(number, value & 0x3F))
    default: emit(.control(number, MIDIUInt7(lowBitsOf: value)))
    }
  }

  @_lifetime(self: copy self)
  private mutating func parameters(_ emit: (JournalElement) -> Void) -> Bool {
    let start = place
    guard let header = word() else { return false }
    let stop = start + header & 0x3FF
    guard header & 0x3FF >= 2, stop <= end else { return false }
    var selection = MIDIParameterSelection()
    if header & 0x4000 != 0 {
      guard place < stop, let pending = byte() else { return false }
      selection = MIDIParameterSelection(
        isRegistered: pending < 0x80, pending: MIDIUInt7(lowBitsOf: pending))
    }
    let isShort = header & 0x0400 != 0 && header & 0x1800 != 0
    while place < stop {
      guard let low = byte(), let high = isShort ? (header & 0x0800 != 0 ? 0x80 : 0) : byte(),
        let fields = byte()
      else { return false }
      let parameter = MIDIParameter(
        isRegistered: high < 0x80,
        MIDIUInt14(high: MIDIUInt7(lowBitsOf: high), low: MIDIUInt7(lowBitsOf: low)))
      var entry: (high: MIDIUInt7?, low: MIDIUInt7?)
      var steps: Int?
      if fields & 0x80 != 0 {
        guard let value = byte() else { return false }
        entry.high = MIDIUInt7(lowBitsOf: value)
      }
      if fields & 0x40 != 0 {
        guard let value = byte() else { return false }
        entry.low = MIDIUInt7(lowBitsOf: value)
      }
      if fields & 0x20 != 0 {
        guard let value = word() else { return false }
        steps = value & 0x8000 != 0 ? -(value & 0x3FFF) : value & 0x3FFF
      }
      if fields & 0x10 != 0, word() == nil { return false }
      if fields & 0x08 != 0, byte() == nil { return false }
      emit(.parameter(parameter, high: entry.high, low: entry.low, steps: steps))
      if header & 0x2000 != 0, place >= stop { selection = MIDIParameterSelection(parameter) }
    }
    guard place == stop else { return false }
    emit(.selection(selection))
    return true
  }

  /// Reads chapter N (notes), and passes the released keys to `emit` before the pressed keys.
  @_lifetime(self: copy self)
  private mutating func notes(_ emit: (JournalElement) -> Void) -> Bool {
    guard let header = byte(), let range = byte() else { return false }
    let (low, high) = (Int(range >> 4), Int(range & 0x0F))
    let count = header & 0x7F == 127 && range == 0xF0 ? 128 : Int(header & 0x7F)
    let octets = max(0, high - low + 1)
    guard low <= high || range == 0xF0 || range == 0xF1, place + 2 * count + octets <= end else {
      return false
    }
    let logs = place
    place += 2 * count
    for octet in 0..<octets {
      for bit in 0..<8 where bytes[place + octet] << UInt8(bit) & 0x80 != 0 {
        emit(.noteOff(MIDIUInt7(clamping: (low + octet) * 8 + bit)))
      }
    }
    place += octets
    for index in 0..<count {
      let (note, velocity) = (bytes[logs + 2 * index], bytes[logs + 2 * index + 1])
      guard velocity & 0x7F > 0 else { continue }
      emit(
        .noteOn(MIDIUInt7(lowBitsOf: note), MIDIUInt7(lowBitsOf: velocity), isPlayed: velocity >= 0x80))
    }
    return true
  }
}
