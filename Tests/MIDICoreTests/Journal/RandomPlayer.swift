import MIDICore

/// Plays random notes, and everything else that a journal protects.
struct RandomPlayer {
  private var random: SplitMix64
  private(set) var notes = 0
  private var held: [(channel: MIDIChannel, note: MIDIUInt7)] = []
  /// The number of presses of each key; the velocity encodes it.
  private(set) var presses = [Int](repeating: 0, count: ModelSynth.channels * 128)

  init(seed: UInt64) { random = SplitMix64(state: seed) }

  static func velocity(ofPress press: Int) -> MIDIUInt7 { MIDIUInt7(clamping: 1 + press % 127) }

  private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func value() -> MIDIUInt7 { MIDIUInt7(clamping: number(0..<128)) }

  /// Plays one to a few messages.
  mutating func play(_ send: (MIDIMessage) -> Void) {
    let channel = MIDIChannel(lowBitsOf: UInt8(number(0..<ModelSynth.channels)))
    switch number(0..<40) {
    case 0..<12: press(channel, send)
    case 12..<24: if !held.isEmpty { release(send) } else { press(channel, send) }
    case 24..<27:
      let number = MIDIUInt7(clamping: [0, 1, 7, 11, 32, 64, 67, 74, 91, 119, 122][number(0..<11)])
      send(.control(channel, number, value()))
    case 27: send(.program(channel, value()))
    case 28, 29: send(.bend(channel, MIDIUInt14(clamping: number(0..<16_384))))
    case 30: send(.pressure(channel, value()))
    case 31: send(.keyPressure(channel, MIDIUInt7(clamping: number(40..<60)), value()))
    case 32, 33: parameter(channel, send)
    case 34: entry(channel, send)
    case 35: if number(0..<8) == 0 { sequencer(send) } else { send(.clock) }
    case 36, 37: for _ in 0..<number(1..<8) { send(.clock) }
    case 38: if number(0..<20) == 0 { mode(channel, send) }
    default: send(number(0..<2) == 0 ? .activeSensing : .tuneRequest)
    }
  }

  private mutating func press(_ channel: MIDIChannel, _ send: (MIDIMessage) -> Void) {
    let note = MIDIUInt7(clamping: number(0..<4) == 0 ? number(0..<128) : number(40..<60))
    let place = Int(channel.index) * 128 + Int(note.value)
    presses[place] += 1
    notes += 1
    held.append((channel, note))
    send(.noteOn(channel, note, velocity: Self.velocity(ofPress: presses[place])))
    if held.count > 12 { release(send) }
  }

  private mutating func release(_ send: (MIDIMessage) -> Void) {
    let (channel, note) = held.remove(at: number(0..<held.count))
    held.removeAll { $0.channel == channel && $0.note == note }
    send(
      number(0..<2) == 0 ? .noteOff(channel, note, velocity: value()) : .noteOn(channel, note, velocity: 0))
  }

  private mutating func parameter(_ channel: MIDIChannel, _ send: (MIDIMessage) -> Void) {
    let parameter = MIDIParameter(
      isRegistered: number(0..<2) == 0, MIDIUInt14(clamping: [0, 1, 2, 130, 9000][number(0..<5)]))
    switch number(0..<4) {
    case 0: parameter.write(MIDIUInt14(clamping: number(0..<16_384)), on: channel, send)
    case 1: parameter.select(on: channel, send)
    case 2: send(.control(channel, parameter.isRegistered ? 101 : 99, parameter.number.high))
    default: send(.control(channel, parameter.isRegistered ? 100 : 98, parameter.number.low))
    }
  }

  private mutating func entry(_ channel: MIDIChannel, _ send: (MIDIMessage) -> Void) {
    let number = MIDIUInt7(clamping: [6, 38, 96, 97][number(0..<4)])
    for _ in 0..<self.number(1..<4) { send(.control(channel, number, value())) }
  }

  private mutating func sequencer(_ send: (MIDIMessage) -> Void) {
    switch number(0..<4) {
    case 0: send(.start)
    case 1: send(.continue)
    case 2: send(.stop)
    default:
      send(.stop)
      send(.songPosition(MIDIUInt14(clamping: number(0..<4000))))
    }
  }

  private mutating func mode(_ channel: MIDIChannel, _ send: (MIDIMessage) -> Void) {
    let number = MIDIUInt7(clamping: [120, 121, 121, 123, 126][number(0..<5)])
    send(.control(channel, number, 0))
    if number != 121 { held.removeAll { $0.channel == channel } }
  }
}
