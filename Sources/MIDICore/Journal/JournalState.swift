/// The state of channels and sequencer that a stream of messages has set, with the packet that set each value.
///
/// A sender writes its journal from this state, and a receiver compares a journal with this state.
///
/// - Source: RFC 6295, appendices A and B; RP-015 of the MIDI Association for the effect of controller 121.
struct JournalState: Sendable {
  var channels = [JournalChannel](repeating: JournalChannel(), count: 16)
  var sequencer = JournalSequencer()

  /// Updates the state with a message of a packet.
  ///
  /// - Parameters:
  ///   - packet: the number of the packet, counted without wraparound.
  ///   - time: the time of the message, in ticks of 100 µs; only notes use this time.
  mutating func record(_ message: MIDIMessage, packet: Int, time: UInt32) {
    if let channel = message.channel {
      channels[Int(channel.index)].record(message, packet: packet, time: time)
      return
    }
    if message == .reset {
      for index in channels.indices { channels[index].releaseAll(packet: packet) }
    }
    sequencer.record(message, packet: packet)
  }
}

/// A value, and the packet that set it.
struct JournalCell: Sendable, BitwiseCopyable {
  /// The number of the packet, counted without wraparound; -1 if no packet has set the value.
  var packet = -1
  /// The value; for a channel mode message, such as controller 123, the number of these messages, modulo 64.
  ///
  /// It is 0x80 if no packet has set the value.
  var value: UInt8 = 0x80
}

/// The state of a note number of a channel, as the journal records it.
struct JournalNote: Sendable, BitwiseCopyable {
  /// The number of the packet with the note's last note-on or note-off; -1 for none.
  var packet = -1
  /// The time of the note's last note-on or note-off, in ticks of 100 µs; 0 after a message that releases all keys.
  var time: UInt32 = 0
  /// The velocity of the press; 0 if the key is released.
  var velocity: UInt8 = 0
  /// Whether the note sounds; false for a released key, and for a pressed key whose press arrived too late to be
  /// played.
  var isSounding = false
}

/// The state that messages of a channel have set.
struct JournalChannel: Sendable {
  var program = JournalCell()
  /// The bank (controllers 0 and 32) at the last program change; 0x80 for a controller that was not set.
  var bank: (high: UInt8, low: UInt8) = (0x80, 0x80)
  var controls = InlineArray<128, JournalCell>(repeating: JournalCell())
  var notes = InlineArray<128, JournalNote>(repeating: JournalNote())
  var keyPressures = InlineArray<128, JournalCell>(repeating: JournalCell())
  var pressure = JournalCell()
  var bend = MIDIUInt14.center
  /// The number of the packet with the last pitch bend since the last reset of all controllers; -1 for none.
  var bendPacket = -1
  var parameters = JournalParameters()
  /// The number of the last packet with a message on this channel, or with a system reset; -1 for none.
  var newest = -1

  /// Returns whether the journal records a controller in chapter M (parameters) instead of chapter C (controllers).
  static func isParameter(_ number: Int) -> Bool {
    number == 6 || number == 38 || (96...101).contains(number)
  }

  /// Returns whether the journal counts the messages of a controller, because their value has no meaning.
  ///
  /// These controllers are the channel mode messages, such as 123 (all notes off), except 122.
  static func isCounted(_ number: Int) -> Bool { number >= 120 && number != 122 }

  /// Returns whether controller 121 (reset all controllers) leaves a controller unchanged, as in RP-015.
  static func isKeptByReset(_ number: Int) -> Bool {
    number == 0 || number == 32 || number == 7 || number == 39 || number == 10 || number == 42
      || (70...79).contains(number) || (91...95).contains(number) || isParameter(number) || number >= 120
  }

  mutating func record(_ message: MIDIMessage, packet: Int, time: UInt32) {
    newest = packet
    switch message {
    case .noteOn(_, let note, let velocity) where velocity > 0:
      notes[Int(note.value)] = JournalNote(
        packet: packet, time: time, velocity: velocity.value, isSounding: true)
    case .noteOn(_, let note, _), .noteOff(_, let note, _):
      notes[Int(note.value)] = JournalNote(packet: packet, time: time)
    case .keyPressure(_, let note, let value):
      keyPressures[Int(note.value)] = JournalCell(packet: packet, value: value.value)
    case .program(_, let value):
      program = JournalCell(packet: packet, value: value.value)
      bank = (controls[0].value, controls[32].value)
    case .pressure(_, let value): pressure = JournalCell(packet: packet, value: value.value)
    case .bend(_, let place): (bend, bendPacket) = (place, packet)
    case .control(_, let number, let value): control(Int(number.value), value, packet: packet)
    default: break
    }
  }

  private mutating func control(_ number: Int, _ value: MIDIUInt7, packet: Int) {
    if Self.isParameter(number) {
      return parameters.record(MIDIUInt7(clamping: number), value, packet: packet)
    }
    guard Self.isCounted(number) else {
      controls[number] = JournalCell(packet: packet, value: value.value)
      return
    }
    controls[number] = JournalCell(packet: packet, value: count(of: number) &+ 1 & 0x3F)
    if number == 121 { resetControllers() } else { releaseAll(packet: packet) }
  }

  /// Returns the number of channel mode messages so far with the controller number `number`, modulo 64.
  func count(of number: Int) -> UInt8 { controls[number].value & 0x3F }

  mutating func releaseAll(packet: Int) {
    newest = packet
    for note in 0..<128 where notes[note].velocity > 0 { notes[note] = JournalNote(packet: packet) }
  }

  private mutating func resetControllers() {
    for number in 0..<120 where !Self.isKeptByReset(number) { controls[number] = JournalCell() }
    for note in 0..<128 where keyPressures[note].packet >= 0 { keyPressures[note] = JournalCell() }
    pressure = JournalCell()
    (bend, bendPacket) = (.center, -1)
    parameters.selection = MIDIParameterSelection()
  }
}

/// The parameters that a channel's controllers 6, 38 and 96 to 101 have set.
struct JournalParameters: Sendable {
  /// The state of a registered or non-registered parameter (RPN, NRPN) of a channel, as the journal records it.
  struct Log: Sendable, BitwiseCopyable {
    var parameter = MIDIParameter(isRegistered: true, 0x3FFF)
    /// The values of controllers 6 (high) and 38 (low); 0x80 for none.
    ///
    /// A new high value clears the low value.
    var entry: (high: UInt8, low: UInt8) = (0x80, 0x80)
    /// The number of increments minus the number of decrements since the last value was set.
    ///
    /// It is nil if there was neither an increment nor a decrement.
    var steps: Int?
    /// The number of the last packet with a message for this parameter; -1 for none.
    var packet = -1
  }

  /// The number of parameters that a channel remembers.
  ///
  /// More parameters would make a channel's journal too long for its header, which has ten bits for the length. A
  /// further parameter replaces the least recently used parameter.
  static let capacity = 32

  var selection = MIDIParameterSelection()
  /// The number of the last packet with a message for any parameter; -1 for none.
  var packet = -1
  /// The logs of `count` parameters, in the order of the last use; the log of the most recently used parameter is the
  /// last.
  private(set) var logs = InlineArray<32, Log>(repeating: Log())
  private(set) var count = 0
  /// Whether the log of a parameter was dropped because there were more than `capacity` parameters.
  ///
  /// If true, a log with steps but without a value may lack earlier steps.
  private(set) var hasForgotten = false

  mutating func record(_ number: MIDIUInt7, _ value: MIDIUInt7, packet: Int) {
    self.packet = packet
    if (98...101).contains(number.value) { selection.read(number, value) }
    guard let parameter = selection.parameter else { return }
    var log = remove(parameter)
    log.packet = packet
    switch number {
    case 6: (log.entry, log.steps) = ((value.value, 0x80), nil)
    case 38: (log.entry.low, log.steps) = (value.value, nil)
    case 96: log.steps = min((log.steps ?? 0) + 1, 0x3FFF)
    case 97: log.steps = max((log.steps ?? 0) - 1, -0x3FFF)
    default: break
    }
    logs[count] = log
    count += 1
  }

  /// Returns a parameter's log; an empty log if the parameter has none.
  func log(of parameter: MIDIParameter) -> Log {
    for index in 0..<count where logs[index].parameter == parameter { return logs[index] }
    return Log(parameter: parameter)
  }

  /// Removes a parameter's log from `logs` and returns the log; returns a new log if the parameter has none.
  ///
  /// After the call, `logs` has space for the returned log.
  private mutating func remove(_ parameter: MIDIParameter) -> Log {
    let log = log(of: parameter)
    var place = 0
    if log.packet >= 0 {
      while logs[place].parameter != parameter { place += 1 }
    } else if count < Self.capacity {
      return log
    } else {
      hasForgotten = true
    }
    for index in place..<count - 1 { logs[index] = logs[index + 1] }
    count -= 1
    return log
  }
}

/// The state of a sequencer, as set by start, stop, continue, song position and clock.
struct JournalSequencer: Hashable, Sendable, BitwiseCopyable {
  var isRunning = false
  /// Whether a clock arrived since the sequencer began to run.
  var hasBegun = false
  /// The position in clocks, 24 per quarter note, modulo 2¹⁹.
  var clocks = 0
  /// The number of the last packet with a message for the sequencer; -1 for none.
  var packet = -1

  static let mask = 1 << 19 - 1

  mutating func record(_ message: MIDIMessage, packet: Int) {
    switch message {
    case .start: (isRunning, hasBegun, clocks) = (true, false, 0)
    case .continue: (isRunning, hasBegun) = (true, false)
    case .stop: (isRunning, hasBegun) = (false, false)
    case .songPosition(let place): clocks = Int(place.value) * 6
    case .clock where isRunning && !hasBegun: hasBegun = true
    case .clock where isRunning: clocks = (clocks + 1) & Self.mask
    default: return
    }
    self.packet = packet
  }
}
