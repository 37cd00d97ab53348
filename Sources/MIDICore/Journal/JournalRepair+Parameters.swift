extension JournalRepair {
  /// The largest number of increments or decrements of a parameter that a repair sends.
  ///
  /// If more are missing, the repair sends none, since a forged journal must not cause a flood of messages.
  private static let mostSteps = 128

  /// Sends the messages that set a parameter to the journal's value, if the receiver's value differs.
  func set(
    _ parameter: MIDIParameter, _ high: MIDIUInt7?, _ low: MIDIUInt7?, _ steps: Int?,
    _ receiver: inout RTPMIDIReceiver, _ take: (RTPMIDIReceiver.Event) -> Void
  ) {
    let known = receiver.state.channels[Int(channel.index)].parameters.log(of: parameter)
    let hasEntry = high != nil || low != nil
    let isSame = known.entry.high == high?.value ?? 0x80 && known.entry.low == low?.value ?? 0x80
    guard hasEntry || steps != nil else { return }
    let (steps, knownSteps) = (steps ?? 0, known.steps ?? 0)
    guard hasEntry && !isSame || knownSteps != steps else { return }
    select(MIDIParameterSelection(parameter), &receiver, take)
    var missing = steps - knownSteps
    if hasEntry {
      if let high { send(.control(channel, 6, high), &receiver, take) }
      if let low { send(.control(channel, 38, low), &receiver, take) }
      missing = steps
    }
    guard missing.magnitude <= Self.mostSteps else { return }
    for _ in 0..<missing.magnitude {
      send(.control(channel, missing > 0 ? 96 : 97, 0), &receiver, take)
    }
  }

  /// Sends the messages that select the journal's parameter, if the receiver has selected another parameter.
  func select(
    _ wanted: MIDIParameterSelection, _ receiver: inout RTPMIDIReceiver,
    _ take: (RTPMIDIReceiver.Event) -> Void
  ) {
    guard receiver.state.channels[Int(channel.index)].parameters.selection != wanted else { return }
    if let pending = wanted.pending {
      send(.control(channel, wanted.isRegistered ? 101 : 99, pending), &receiver, take)
      return
    }
    let parameter = wanted.parameter ?? MIDIParameter(isRegistered: true, 0x3FFF)
    let channel = channel
    parameter.select(on: channel) { send($0, &receiver, take) }
  }

  /// The largest number of missing clocks that a repair sends; if more are missing, the repair sends the song position.
  private static let mostClocks = 24

  /// Sends the messages that bring the receiver's sequencer to the state in the journal.
  func set(
    _ wanted: JournalSequencer, _ receiver: inout RTPMIDIReceiver, _ take: (RTPMIDIReceiver.Event) -> Void
  ) {
    let known = receiver.state.sequencer
    guard
      (known.isRunning, known.hasBegun, known.clocks) != (wanted.isRunning, wanted.hasBegun, wanted.clocks)
    else { return }
    func clocks(_ count: Int) { for _ in 0..<count { send(.clock, &receiver, take) } }
    let isOn = known.isRunning && (known.hasBegun || wanted.hasBegun || wanted.clocks == known.clocks)
    let missing = wanted.clocks - known.clocks + (known.hasBegun ? 0 : 1)
    if isOn, wanted.isRunning, wanted.hasBegun, (0...Self.mostClocks).contains(missing) {
      return clocks(missing)
    }
    if isOn, !wanted.isRunning, (0...Self.mostClocks).contains(wanted.clocks - known.clocks) {
      if wanted.clocks > known.clocks { clocks(missing) }
      return send(.stop, &receiver, take)
    }
    if known.isRunning { send(.stop, &receiver, take) }
    let rest = wanted.clocks % 6
    let isFar = wanted.clocks / 6 > 0x3FFF
    if wanted.clocks > 0 || known.clocks > 0 {
      send(.songPosition(MIDIUInt14(clamping: wanted.clocks / 6)), &receiver, take)
    }
    if isFar { receiver.state.sequencer.clocks = wanted.clocks - rest }
    guard wanted.isRunning || rest > 0 else { return }
    send(wanted.clocks == 0 ? .start : .continue, &receiver, take)
    if wanted.hasBegun || rest > 0 { clocks(rest + 1) }
    guard !wanted.hasBegun, rest > 0 else { return }
    send(.stop, &receiver, take)
    if wanted.isRunning { send(.continue, &receiver, take) }
  }
}
