/// A repair of a receiver's state after lost packets: it applies the facts of a packet's journal that differ from this
/// state.
struct JournalRepair {
  let number: Int
  let time: UInt32
  private let first: Int
  var channel: MIDIChannel = 0
  /// The sounding notes whose note-off may be lost, because it may have been in a lost packet that the journal does not
  /// cover.
  ///
  /// There is a number per channel, with a bit per note.
  private var suspects = InlineArray<16, UInt128>(repeating: 0)

  /// Creates the repair from the journal of a packet.
  ///
  /// - Parameters:
  ///   - number: the number of the packet that carries the journal, counted without wraparound.
  ///   - checkpoint: the number of the first packet that the journal covers, modulo 65536.
  ///   - time: the timestamp of the packet, in ticks of 100 µs.
  init(number: Int, checkpoint: UInt16, time: UInt32) {
    (self.number, self.time) = (number, time)
    // Some senders give the packet itself, and mean the one before it.
    let back = Int(UInt16(truncatingIfNeeded: number) &- checkpoint)
    first = number - max(back, 1)
  }

  /// Returns whether the journal covers all packets that were lost after the packet `last`; true if `last` is nil.
  func isCovered(after last: Int?) -> Bool { last.map { first <= $0 + 1 } ?? true }

  /// Adds all sounding notes to `suspects`; later, `end` releases the suspects that the journal does not mention.
  mutating func suspectAll(_ state: borrowing JournalState) {
    for index in 0..<16 {
      for note in 0..<128 where state.channels[index].notes[note].isSounding {
        suspects[index] |= 1 << UInt128(note)
      }
    }
  }

  /// Releases the notes that are still in `suspects`.
  ///
  /// Call the function after `apply`, which removes the notes that the journal mentions from `suspects`.
  func end(_ receiver: inout RTPMIDIReceiver, _ emit: (RTPMIDIReceiver.Event) -> Void) {
    for index in 0..<16 where suspects[index] != 0 {
      for note in 0..<128
      where suspects[index] >> UInt128(note) & 1 == 1 && receiver.state.channels[index].notes[note].isSounding
      {
        send(
          .noteOff(MIDIChannel(lowBitsOf: UInt8(index)), MIDIUInt7(clamping: note), velocity: 64),
          &receiver, emit)
      }
    }
  }

  func send(
    _ message: MIDIMessage, _ receiver: inout RTPMIDIReceiver, _ emit: (RTPMIDIReceiver.Event) -> Void
  ) {
    receiver.send(message, packet: number - 1, at: time, emit)
  }

  /// Applies a fact of the journal: sends a message if the receiver's state differs from the fact.
  mutating func apply(
    _ element: JournalElement, to receiver: inout RTPMIDIReceiver,
    _ emit: (RTPMIDIReceiver.Event) -> Void
  ) {
    let index = Int(channel.index)
    switch element {
    case .channel(let next): channel = next
    case .program(let value, let bank): program(value, bank, &receiver, emit)
    case .control(let number, let value):
      // Their value has no meaning; the journal's notes report their effect on notes.
      guard !JournalChannel.isCounted(Int(number.value)), !JournalChannel.isParameter(Int(number.value)),
        receiver.state.channels[index].controls[Int(number.value)].value != value.value
      else { return }
      send(.control(channel, number, value), &receiver, emit)
    case .count(let number, let count):
      guard JournalChannel.isCounted(Int(number.value)),
        receiver.state.channels[index].count(of: Int(number.value)) != count
      else { return }
      send(.control(channel, number, 0), &receiver, emit)
      receiver.state.channels[index].controls[Int(number.value)].value = count
    case .toggles: break
    case .parameter(let parameter, let high, let low, let steps):
      set(parameter, high, low, steps, &receiver, emit)
    case .selection(let selection): select(selection, &receiver, emit)
    case .bend(let place):
      let channelState = (
        receiver.state.channels[index].bend, receiver.state.channels[index].bendPacket
      )
      if channelState.0 != place || channelState.1 < 0 { send(.bend(channel, place), &receiver, emit) }
    case .noteOff(let note):
      suspects[index] &= ~(1 << UInt128(note.value))
      release(note, &receiver, emit)
    case .noteOn(let note, let velocity, let isPlayed):
      suspects[index] &= ~(1 << UInt128(note.value))
      press(note, velocity, isPlayed, &receiver, emit)
    case .pressure(let value):
      guard receiver.state.channels[index].pressure.value != value.value else { return }
      send(.pressure(channel, value), &receiver, emit)
    case .keyPressure(let note, let value):
      guard receiver.state.channels[index].keyPressures[Int(note.value)].value != value.value else { return }
      send(.keyPressure(channel, note, value), &receiver, emit)
    case .sequencer(let wanted): set(wanted, &receiver, emit)
    }
  }

  private func program(
    _ value: MIDIUInt7, _ bank: MIDIUInt14?, _ receiver: inout RTPMIDIReceiver,
    _ emit: (RTPMIDIReceiver.Event) -> Void
  ) {
    let index = Int(channel.index)
    let known = (receiver.state.channels[index].program, receiver.state.channels[index].bank)
    let hasBank = bank.map { bank in
      // A part of the bank that was never sent is 0 in the journal.
      (known.1.high & 0x7F, known.1.low & 0x7F) == (bank.high.value, bank.low.value)
    }
    guard known.0.value != value.value || !(hasBank ?? true) else { return }
    if let bank {
      for (number, part) in [(MIDIUInt7(clamping: 0), bank.high), (32, bank.low)] {
        let known = receiver.state.channels[index].controls[Int(number.value)].value
        if known & 0x7F != part.value { send(.control(channel, number, part), &receiver, emit) }
      }
    }
    send(.program(channel, value), &receiver, emit)
  }

  private func release(
    _ note: MIDIUInt7, _ receiver: inout RTPMIDIReceiver, _ emit: (RTPMIDIReceiver.Event) -> Void
  ) {
    let index = Int(channel.index)
    if receiver.state.channels[index].notes[Int(note.value)].isSounding {
      send(.noteOff(channel, note, velocity: 64), &receiver, emit)
    } else {
      receiver.state.channels[index].notes[Int(note.value)] = JournalNote()
    }
  }

  private func press(
    _ note: MIDIUInt7, _ velocity: MIDIUInt7, _ isPlayed: Bool, _ receiver: inout RTPMIDIReceiver,
    _ emit: (RTPMIDIReceiver.Event) -> Void
  ) {
    let index = Int(channel.index)
    let known = receiver.state.channels[index].notes[Int(note.value)]
    // The same note, unless it is older than everything that the journal covers.
    if known.velocity == velocity.value, known.packet >= first { return }
    if known.isSounding { send(.noteOff(channel, note, velocity: 64), &receiver, emit) }
    if isPlayed {
      send(.noteOn(channel, note, velocity: velocity), &receiver, emit)
    } else {
      receiver.state.channels[index].notes[Int(note.value)] = JournalNote(
        packet: number - 1, time: time, velocity: velocity.value)
    }
  }
}

extension JournalRepair {
  /// The largest number of increments or decrements of a parameter that a repair sends.
  ///
  /// If more are missing, the repair sends none, since a forged journal must not cause a flood of messages.
  private static let mostSteps = 128

  /// Sends the messages that set a parameter to the journal's value, if the receiver's value differs.
  func set(
    _ parameter: MIDIParameter, _ high: MIDIUInt7?, _ low: MIDIUInt7?, _ steps: Int?,
    _ receiver: inout RTPMIDIReceiver, _ emit: (RTPMIDIReceiver.Event) -> Void
  ) {
    let known = receiver.state.channels[Int(channel.index)].parameters.log(of: parameter)
    let hasEntry = high != nil || low != nil
    let isSame = known.entry.high == high?.value ?? 0x80 && known.entry.low == low?.value ?? 0x80
    guard hasEntry || steps != nil else { return }
    let (steps, knownSteps) = (steps ?? 0, known.steps ?? 0)
    guard hasEntry && !isSame || knownSteps != steps else { return }
    select(MIDIParameterSelection(parameter), &receiver, emit)
    var missing = steps - knownSteps
    if hasEntry {
      if let high { send(.control(channel, 6, high), &receiver, emit) }
      if let low { send(.control(channel, 38, low), &receiver, emit) }
      missing = steps
    }
    guard missing.magnitude <= Self.mostSteps else { return }
    for _ in 0..<missing.magnitude {
      send(.control(channel, missing > 0 ? 96 : 97, 0), &receiver, emit)
    }
  }

  /// Sends the messages that select the journal's parameter, if the receiver has selected another parameter.
  func select(
    _ wanted: MIDIParameterSelection, _ receiver: inout RTPMIDIReceiver,
    _ emit: (RTPMIDIReceiver.Event) -> Void
  ) {
    guard receiver.state.channels[Int(channel.index)].parameters.selection != wanted else { return }
    if let pending = wanted.pending {
      send(.control(channel, wanted.isRegistered ? 101 : 99, pending), &receiver, emit)
      return
    }
    let parameter = wanted.parameter ?? MIDIParameter(isRegistered: true, 0x3FFF)
    let channel = channel
    parameter.select(on: channel) { send($0, &receiver, emit) }
  }

  /// The largest number of missing clocks that a repair sends; if more are missing, the repair sends the song position.
  private static let mostClocks = 24

  /// Sends the messages that bring the receiver's sequencer to the state in the journal.
  func set(
    _ wanted: JournalSequencer, _ receiver: inout RTPMIDIReceiver, _ emit: (RTPMIDIReceiver.Event) -> Void
  ) {
    let known = receiver.state.sequencer
    guard
      (known.isRunning, known.hasBegun, known.clocks) != (wanted.isRunning, wanted.hasBegun, wanted.clocks)
    else { return }
    func clocks(_ count: Int) { for _ in 0..<count { send(.clock, &receiver, emit) } }
    let isOn = known.isRunning && (known.hasBegun || wanted.hasBegun || wanted.clocks == known.clocks)
    let missing = wanted.clocks - known.clocks + (known.hasBegun ? 0 : 1)
    if isOn, wanted.isRunning, wanted.hasBegun, (0...Self.mostClocks).contains(missing) {
      return clocks(missing)
    }
    if isOn, !wanted.isRunning, (0...Self.mostClocks).contains(wanted.clocks - known.clocks) {
      if wanted.clocks > known.clocks { clocks(missing) }
      return send(.stop, &receiver, emit)
    }
    if known.isRunning { send(.stop, &receiver, emit) }
    let rest = wanted.clocks % 6
    let isFar = wanted.clocks / 6 > 0x3FFF
    if wanted.clocks > 0 || known.clocks > 0 {
      send(.songPosition(MIDIUInt14(clamping: wanted.clocks / 6)), &receiver, emit)
    }
    if isFar { receiver.state.sequencer.clocks = wanted.clocks - rest }
    guard wanted.isRunning || rest > 0 else { return }
    send(wanted.clocks == 0 ? .start : .continue, &receiver, emit)
    if wanted.hasBegun || rest > 0 { clocks(rest + 1) }
    guard !wanted.hasBegun, rest > 0 else { return }
    send(.stop, &receiver, emit)
    if wanted.isRunning { send(.continue, &receiver, emit) }
  }
}
