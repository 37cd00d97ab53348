import MIDICore

/// The keys and pedals that are down on each of the sixteen MIDI channels.
///
/// - Thread: one owner.
/// - Real-time safe: yes.
struct MIDIHeldNotes: Sendable, BitwiseCopyable {
  /// A bit for each key, 1 if the key is down; two elements, 128 bits, for each channel.
  private var keys = InlineArray<32, UInt64>(repeating: 0)
  /// A byte for each channel, with a bit for each pedal in the order of `pedals`; 1 if the pedal is down.
  private var down = InlineArray<16, UInt8>(repeating: 0)

  /// The controller numbers of the pedals: sustain, sostenuto, soft and hold 2.
  static let pedals: InlineArray<4, UInt8> = [64, 66, 67, 69]

  init() {}

  /// Whether all keys and pedals of all channels are up.
  var isEmpty: Bool {
    for channel in 0..<16 where !isEmpty(channel) { return false }
    return true
  }

  /// Whether a key is down.
  func contains(_ channel: MIDIChannel, _ key: MIDIUInt7) -> Bool {
    keys[word(channel, key)] & bit(key) != 0
  }

  /// Updates the stored keys and pedals by a message that presses or releases them, such as a note-on or a reset.
  mutating func follow(_ message: MIDIMessage) {
    switch message {
    case .noteOn(let channel, let key, let velocity):
      if velocity > 0 { press(channel, key) } else { release(channel, key) }
    case .noteOff(let channel, let key, _): release(channel, key)
    case .control(let channel, let number, let value):
      let index = Int(channel.index)
      switch number.value {
      case 120, 123...127: (keys[2 * index], keys[2 * index + 1]) = (0, 0)
      case 121: down[index] = 0
      default:
        for pedal in 0..<4 where Self.pedals[pedal] == number.value {
          if value.value >= 64 { down[index] |= 1 << pedal } else { down[index] &= ~(1 << pedal) }
        }
      }
    case .reset: self = MIDIHeldNotes()
    default: break
    }
  }

  /// Marks all keys and pedals as up, and calls `send` with each message that releases a key or pedal that was down.
  ///
  /// The order is: the note-offs of all channels, the pedals of all channels, then controller 123 (all notes off) for
  /// each channel. A channel on which nothing is down gets no messages.
  ///
  /// - Parameter channel: the only channel to release; nil for all.
  mutating func release(_ channel: MIDIChannel? = nil, _ send: (MIDIMessage) -> Void) {
    var held = self
    for index in 0..<16 {
      if let channel, index != Int(channel.index) {
        held.forget(index)
      } else {
        forget(index)
      }
    }
    held.eachChannel { channel in
      for number in UInt8(0)..<128 {
        let key = MIDIUInt7(lowBitsOf: number)
        if held.contains(channel, key) { send(.noteOff(channel, key, velocity: 64)) }
      }
    }
    held.eachChannel { channel in
      for pedal in 0..<4 where held.down[Int(channel.index)] & 1 << pedal != 0 {
        send(.control(channel, MIDIUInt7(lowBitsOf: Self.pedals[pedal]), 0))
      }
    }
    held.eachChannel { channel in send(.control(channel, 123, 0)) }
  }

  private func eachChannel(_ body: (MIDIChannel) -> Void) {
    for index in 0..<16 where !isEmpty(index) { body(MIDIChannel(lowBitsOf: UInt8(index))) }
  }

  private func isEmpty(_ channel: Int) -> Bool {
    keys[2 * channel] | keys[2 * channel + 1] == 0 && down[channel] == 0
  }

  private mutating func forget(_ channel: Int) {
    (keys[2 * channel], keys[2 * channel + 1], down[channel]) = (0, 0, 0)
  }

  private mutating func press(_ channel: MIDIChannel, _ key: MIDIUInt7) {
    keys[word(channel, key)] |= bit(key)
  }

  private mutating func release(_ channel: MIDIChannel, _ key: MIDIUInt7) {
    keys[word(channel, key)] &= ~bit(key)
  }

  private func word(_ channel: MIDIChannel, _ key: MIDIUInt7) -> Int {
    2 * Int(channel.index) + Int(key.value >> 6)
  }

  private func bit(_ key: MIDIUInt7) -> UInt64 { 1 << UInt64(key.value & 63) }
}
