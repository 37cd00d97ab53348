/// A registered or non-registered parameter of a channel (RPN, NRPN).
///
/// - Source: *MIDI 1.0 Detailed Specification* 4.2, "Registered and non-registered parameter numbers".
/// - Thread: any.
/// - Real-time safe: yes.
public struct MIDIParameter: Hashable, Sendable, BitwiseCopyable {
  /// Whether the MIDI Association defines it (RPN), or a manufacturer (NRPN).
  public var isRegistered: Bool
  /// The number, 0…16383; 16383 means none.
  public var number: MIDIUInt14

  /// A parameter by its kind and number.
  public init(isRegistered: Bool, _ number: MIDIUInt14) {
    (self.isRegistered, self.number) = (isRegistered, number)
  }

  /// How far the pitch wheel bends: semitones in the high seven bits, cents in the low ones.
  public static let bendRange = MIDIParameter(isRegistered: true, 0)
  /// How many member channels an MPE zone has, in the high seven bits.
  public static let mpeZone = MIDIParameter(isRegistered: true, 6)

  /// Whether it is the number that means none.
  public var isNull: Bool { number == 0x3FFF }
}

/// What a program sets on a channel: a number of fourteen bits, or steps.
public enum MIDIParameterChange: Hashable, Sendable, BitwiseCopyable {
  /// A controller below 32 and its pair together have a value.
  case control(MIDIChannel, MIDIUInt7, MIDIUInt14)
  /// A parameter has a value.
  case value(MIDIChannel, MIDIParameter, MIDIUInt14)
  /// A parameter goes up, or down where negative, by steps.
  case step(MIDIChannel, MIDIParameter, Int)
}

/// Joins pairs of controllers to numbers of fourteen bits, and reads parameters.
///
/// - Thread: one owner.
/// - Real-time safe: yes, once made.
public struct MIDIParameterReader: Sendable {
  fileprivate struct Channel: Sendable {
    var high = InlineArray<32, UInt8>(repeating: 0)
    var selection = MIDIParameterSelection()
    var entry = InlineArray<2, UInt8>(repeating: 0)
  }

  private var channels = [Channel](repeating: Channel(), count: 16)

  /// A reader that has read nothing: no parameter is selected.
  public init() {}

  /// The parameter that a channel's data entry sets; nil for none.
  public func selected(on channel: MIDIChannel) -> MIDIParameter? {
    channels[Int(channel.index)].selection.parameter
  }

  /// Reads a message; what it set, if it set a number of fourteen bits or a parameter.
  ///
  /// A high part alone sets the low part to 0, as the specification asks.
  public mutating func read(_ message: MIDIMessage) -> MIDIParameterChange? {
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

/// Which parameter a channel's data entry sets, as controllers 98 to 101 select it.
struct MIDIParameterSelection: Hashable, Sendable, BitwiseCopyable {
  private(set) var isRegistered = true
  /// The number's high part, once it was sent; 0x80 for not.
  private var high: UInt8 = 0x80
  /// The number's low part, once it was sent after the high part; 0x80 for not.
  private var low: UInt8 = 0x80

  init() {}

  /// An open parameter.
  init(_ parameter: MIDIParameter) {
    isRegistered = parameter.isRegistered
    (high, low) = (parameter.number.high.value, parameter.number.low.value)
    normalise()
  }

  /// A high part whose low part is yet to come.
  init(isRegistered: Bool, pending: MIDIUInt7) { (self.isRegistered, high) = (isRegistered, pending.value) }

  /// The selected parameter; nil for none.
  var parameter: MIDIParameter? {
    guard high < 0x80, low < 0x80 else { return nil }
    return MIDIParameter(
      isRegistered: isRegistered,
      MIDIUInt14(high: MIDIUInt7(lowBitsOf: high), low: MIDIUInt7(lowBitsOf: low)))
  }

  /// The high part that waits for its low part.
  var pending: MIDIUInt7? { high < 0x80 && low >= 0x80 ? MIDIUInt7(lowBitsOf: high) : nil }

  /// Reads controller 98, 99, 100 or 101.
  ///
  /// A low part without a high part of the same kind selects nothing.
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
  /// Gives the messages that set this parameter: the number, the value, and none selected after it.
  ///
  /// - Parameter isFine: whether the value's low seven bits are sent.
  public func write(
    _ value: MIDIUInt14, on channel: MIDIChannel, isFine: Bool = true, _ send: (MIDIMessage) -> Void
  ) {
    select(on: channel, send)
    send(.control(channel, 6, value.high))
    if isFine { send(.control(channel, 38, value.low)) }
    MIDIParameter(isRegistered: true, 0x3FFF).select(on: channel, send)
  }

  /// Gives the two messages that select this parameter.
  public func select(on channel: MIDIChannel, _ send: (MIDIMessage) -> Void) {
    send(.control(channel, isRegistered ? 101 : 99, number.high))
    send(.control(channel, isRegistered ? 100 : 98, number.low))
  }
}

extension MIDIMessage {
  /// Gives the two messages that set a controller below 32 and its pair; nothing for other numbers.
  public static func controlPair(
    _ channel: MIDIChannel, _ number: MIDIUInt7, _ value: MIDIUInt14, _ send: (MIDIMessage) -> Void
  ) {
    guard number < 32 else { return }
    send(.control(channel, number, value.high))
    send(.control(channel, MIDIUInt7(lowBitsOf: number.value + 32), value.low))
  }
}
