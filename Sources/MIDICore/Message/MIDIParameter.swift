/// A registered or non-registered parameter of a channel (RPN, NRPN).
///
/// - Source: *MIDI 1.0 Detailed Specification* 4.2, "Registered and non-registered parameter numbers".
/// - Thread: any.
/// - Real-time safe: yes.
package struct MIDIParameter: Hashable, Sendable, BitwiseCopyable {
  /// Whether the MIDI Association defines the parameter (RPN); if false, a manufacturer defines it (NRPN).
  package var isRegistered: Bool
  /// The number of the parameter, 0…16383; 16383 means that no parameter is selected.
  package var number: MIDIUInt14

  /// Creates a parameter from its kind and number.
  package init(isRegistered: Bool, _ number: MIDIUInt14) {
    (self.isRegistered, self.number) = (isRegistered, number)
  }

  /// The parameter for the range of the pitch wheel: semitones in the value's high seven bits, cents in the low bits.
  package static let bendRange = MIDIParameter(isRegistered: true, 0)
  /// The parameter for the number of member channels of an MPE zone, in the value's high seven bits.
  package static let mpeZone = MIDIParameter(isRegistered: true, 6)

}

/// A change of a controller or parameter: a new value of fourteen bits, or a number of steps.
package enum MIDIParameterChange: Hashable, Sendable, BitwiseCopyable {
  /// A value of fourteen bits that two controllers set: a controller below 32, and the controller whose number is
  /// higher by 32.
  case control(MIDIChannel, MIDIUInt7, MIDIUInt14)
  /// The value of a parameter.
  case value(MIDIChannel, MIDIParameter, MIDIUInt14)
  /// The number of steps by which a parameter goes up, or down if the number is negative.
  case step(MIDIChannel, MIDIParameter, Int)
}

/// Combines pairs of controllers into numbers of fourteen bits, and reads the changes of parameters.
///
/// - Thread: one owner.
/// - Real-time safe: yes, once created.
package struct MIDIParameterReader: Sendable {
  fileprivate struct Channel: Sendable {
    var high = InlineArray<32, UInt8>(repeating: 0)
    var selection = MIDIParameterSelection()
    var entry = InlineArray<2, UInt8>(repeating: 0)
  }

  private var channels = [Channel](repeating: Channel(), count: 16)

  /// Creates a reader without a selected parameter.
  package init() {}

  /// Returns the parameter that the next data entry on a channel sets; nil if no parameter is selected.
  package func selected(on channel: MIDIChannel) -> MIDIParameter? {
    channels[Int(channel.index)].selection.parameter
  }

  /// Reads a message, and returns the change if the message changes a pair of controllers or a parameter.
  ///
  /// If only the high seven bits of a value arrive, the low seven bits become 0, as the specification requires.
  package mutating func read(_ message: MIDIMessage) -> MIDIParameterChange? {
    switch message {
    case .reset:
      for index in channels.indices { channels[index] = Channel() }
    case .control(let channel, let number, let value):
      return channels[Int(channel.index)].read(channel, number, value)
    default: break
    }
    return nil
  }
}

extension MIDIParameterReader.Channel {
  fileprivate mutating func read(_ channel: MIDIChannel, _ number: MIDIUInt7, _ value: MIDIUInt7)
    -> MIDIParameterChange?
  {
    let index = Int(number.value)
    switch index {
    case 6, 38:
      guard let parameter = selection.parameter else { return nil }
      if index == 6 { entry = [value.value, 0] } else { entry[1] = value.value }
      let whole = MIDIUInt14(
        high: MIDIUInt7(lowBitsOf: entry[0]), low: MIDIUInt7(lowBitsOf: entry[1]))
      return .value(channel, parameter, whole)
    case 96, 97: return selection.parameter.map { .step(channel, $0, index == 96 ? 1 : -1) }
    case 98...101:
      selection.read(number, value)
      entry = [0, 0]
      return nil
    case 121:
      // Reset All Controllers deselects the parameter (RP-015).
      selection = MIDIParameterSelection()
      return nil
    case 0..<32:
      high[index] = value.value
      return .control(channel, number, MIDIUInt14(high: value, low: 0))
    case 32..<64:
      let upper = MIDIUInt7(lowBitsOf: high[index - 32])
      return .control(channel, MIDIUInt7(lowBitsOf: number.value - 32), MIDIUInt14(high: upper, low: value))
    default: return nil
    }
  }
}

/// The parameter that a channel's data entry sets, as selected by controllers 98 to 101.
struct MIDIParameterSelection: Hashable, Sendable, BitwiseCopyable {
  private(set) var isRegistered = true
  /// The high seven bits of the parameter's number; 0x80 until these bits have arrived.
  private var high: UInt8 = 0x80
  /// The low seven bits of the parameter's number, which come after the high bits; 0x80 until the low bits have
  /// arrived.
  private var low: UInt8 = 0x80

  init() {}

  /// Creates a selection of a parameter.
  init(_ parameter: MIDIParameter) {
    isRegistered = parameter.isRegistered
    (high, low) = (parameter.number.high.value, parameter.number.low.value)
    normalise()
  }

  /// Creates an unfinished selection, from the high seven bits of a parameter's number; the low seven bits have not
  /// arrived yet.
  init(isRegistered: Bool, pending: MIDIUInt7) { (self.isRegistered, high) = (isRegistered, pending.value) }

  /// The selected parameter; nil for none.
  var parameter: MIDIParameter? {
    guard high < 0x80, low < 0x80 else { return nil }
    return MIDIParameter(
      isRegistered: isRegistered,
      MIDIUInt14(high: MIDIUInt7(lowBitsOf: high), low: MIDIUInt7(lowBitsOf: low)))
  }

  /// The high seven bits of the parameter's number, while the low seven bits have not arrived; otherwise nil.
  var pending: MIDIUInt7? { high < 0x80 && low >= 0x80 ? MIDIUInt7(lowBitsOf: high) : nil }

  /// Updates the selection with a message of controller 98, 99, 100 or 101.
  ///
  /// Low bits (98 or 100) select no parameter if the high bits of the same kind (99 or 101) have not come before.
  mutating func read(_ number: MIDIUInt7, _ value: MIDIUInt7) {
    let registered = number >= 100
    if number.value & 1 == 1 {
      (isRegistered, high, low) = (registered, value.value, 0x80)
    } else if registered == isRegistered, high < 0x80 {
      low = value.value
    } else {
      self = MIDIParameterSelection()
    }
    normalise()
  }

  private mutating func normalise() {
    if high == 0x7F, low == 0x7F { self = MIDIParameterSelection() }
  }
}

extension MIDIParameter {
  /// Sends the messages that set this parameter: its number, the value, and then a number that selects no parameter.
  ///
  /// - Parameters:
  ///   - value: the new value.
  ///   - channel: the channel on which the parameter is set.
  ///   - isFine: whether to send the value's low seven bits too.
  ///   - send: receives each message, in order.
  package func write(
    _ value: MIDIUInt14, on channel: MIDIChannel, isFine: Bool = true, _ send: (MIDIMessage) -> Void
  ) {
    select(on: channel, send)
    send(.control(channel, 6, value.high))
    if isFine { send(.control(channel, 38, value.low)) }
    MIDIParameter(isRegistered: true, 0x3FFF).select(on: channel, send)
  }

  /// Sends the two messages that select this parameter.
  package func select(on channel: MIDIChannel, _ send: (MIDIMessage) -> Void) {
    send(.control(channel, isRegistered ? 101 : 99, number.high))
    send(.control(channel, isRegistered ? 100 : 98, number.low))
  }
}

extension MIDIMessage {
  /// Sends the two messages that set a controller below 32 to a value of fourteen bits.
  ///
  /// The second message sets the low seven bits, by the controller whose number is higher by 32. If `number` is
  /// 32 or more, the call sends nothing.
  public static func controlPair(
    _ channel: MIDIChannel, _ number: MIDIUInt7, _ value: MIDIUInt14, _ send: (MIDIMessage) -> Void
  ) {
    guard number < 32 else { return }
    send(.control(channel, number, value.high))
    send(.control(channel, MIDIUInt7(lowBitsOf: number.value + 32), value.low))
  }
}
