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
  func end(_ receiver: inout RTPMIDIReceiver, _ take: (RTPMIDIReceiver.Event) -> Void) {
    for index in 0..<16 where suspects[index] != 0 {
      for note in 0..<128
      where suspects[index] >> UInt128(note) & 1 == 1 && receiver.state.channels[index].notes[note].isSounding
      {
        send(
          .noteOff(MIDIChannel(lowBitsOf: UInt8(index)), MIDIUInt7(clamping: note), velocity: 64),
          &receiver, take)
      }
    }
  }

  func send(
    _ message: MIDIMessage, _ receiver: inout RTPMIDIReceiver, _ take: (RTPMIDIReceiver.Event) -> Void
  ) {
    receiver.send(message, packet: number - 1, at: time, take)
  }

  /// Applies a fact of the journal: sends a message if the receiver's state differs from the fact.
  mutating func apply(
    _ element: JournalElement, to receiver: inout RTPMIDIReceiver,
    _ take: (RTPMIDIReceiver.Event) -> Void
  ) {
    let index = Int(channel.index)
    switch element {
    case .channel(let next): channel = next
    case .program(let value, let bank): program(value, bank, &receiver, take)
    case .control(let number, let value):
      // Their value has no meaning; the journal's notes report their effect on notes.
      guard !JournalChannel.isCounted(Int(number.value)), !JournalChannel.isParameter(Int(number.value)),
        receiver.state.channels[index].controls[Int(number.value)].value != value.value
      else { return }
      send(.control(channel, number, value), &receiver, take)
    case .count(let number, let count):
      guard JournalChannel.isCounted(Int(number.value)),
        receiver.state.channels[index].count(of: Int(number.value)) != count
      else { return }
      send(.control(channel, number, 0), &receiver, take)
      receiver.state.channels[index].controls[Int(number.value)].value = count
    case .toggles: break
    case .parameter(let parameter, let high, let low, let steps):
      set(parameter, high, low, steps, &receiver, take)
    case .selection(let selection): select(selection, &receiver, take)
    case .bend(let place):
      let channelState = (
        receiver.state.channels[index].bend, receiver.state.channels[index].bendPacket
      )
      if channelState.0 != place || channelState.1 < 0 { send(.bend(channel, place), &receiver, take) }
    case .noteOff(let note):
      suspects[index] &= ~(1 << UInt128(note.value))
      release(note, &receiver, take)
    case .noteOn(let note, let velocity, let isPlayed):
      suspects[index] &= ~(1 << UInt128(note.value))
      press(note, velocity, isPlayed, &receiver, take)
    case .pressure(let value):
      guard receiver.state.channels[index].pressure.value != value.value else { return }
      send(.pressure(channel, value), &receiver, take)
    case .keyPressure(let note, let value):
      guard receiver.state.channels[index].keyPressures[Int(note.value)].value != value.value else { return }
      send(.keyPressure(channel, note, value), &receiver, take)
    case .sequencer(let wanted): set(wanted, &receiver, take)
    }
  }

  private func program(
    _ value: MIDIUInt7, _ bank: MIDIUInt14?, _ receiver: inout RTPMIDIReceiver,
    _ take: (RTPMIDIReceiver.Event) -> Void
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
        if known & 0x7F != part.value { send(.control(channel, number, part), &receiver, take) }
      }
    }
    send(.program(channel, value), &receiver, take)
  }

  private func release(
    _ note: MIDIUInt7, _ receiver: inout RTPMIDIReceiver, _ take: (RTPMIDIReceiver.Event) -> Void
  ) {
    let index = Int(channel.index)
    if receiver.state.channels[index].notes[Int(note.value)].isSounding {
      send(.noteOff(channel, note, velocity: 64), &receiver, take)
    } else {
      receiver.state.channels[index].notes[Int(note.value)] = JournalNote()
    }
  }

  private func press(
    _ note: MIDIUInt7, _ velocity: MIDIUInt7, _ isPlayed: Bool, _ receiver: inout RTPMIDIReceiver,
    _ take: (RTPMIDIReceiver.Event) -> Void
  ) {
    let index = Int(channel.index)
    let known = receiver.state.channels[index].notes[Int(note.value)]
    // The same note, unless it is older than everything that the journal covers.
    if known.velocity == velocity.value, known.packet >= first { return }
    if known.isSounding { send(.noteOff(channel, note, velocity: 64), &receiver, take) }
    if isPlayed {
      send(.noteOn(channel, note, velocity: velocity), &receiver, take)
    } else {
      receiver.state.channels[index].notes[Int(note.value)] = JournalNote(
        packet: number - 1, time: time, velocity: velocity.value)
    }
  }
}
