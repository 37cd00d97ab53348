import MIDICore

/// The state of a synthesizer after messages: an independent model of the MIDI specification.
struct ModelSynth {
  /// The channels that the tests use.
  static let channels = 3
  private static let size = 128
  private static let unset: UInt8 = 0xFF

  private(set) var controls = [UInt8](repeating: unset, count: channels * size)
  private(set) var keyPressures = [UInt8](repeating: unset, count: channels * size)
  /// Program, bank at the program change, pressure, pitch wheel, and the parameter registers, of each channel.
  private(set) var registers = [UInt8](repeating: unset, count: channels * 16)
  /// The velocity of each pressed key; 0 for a released key.
  private(set) var keys = [UInt8](repeating: 0, count: channels * size)
  /// Parameters' values: kind and number, then both parts and the steps.
  private(set) var parameters: [Int: SIMD4<Int32>] = [:]
  private(set) var isRunning = false
  private(set) var hasBegun = false
  private(set) var clocks = 0

  /// Describes the differences between two states, without keys.
  func differences(_ other: ModelSynth) -> String {
    var text = ""
    if controls != other.controls {
      for (index, (one, two)) in zip(controls, other.controls).enumerated() where one != two {
        text += "control \(index / 128):\(index % 128) \(one) \(two); "
      }
    }
    if keyPressures != other.keyPressures { text += "key pressures; " }
    if registers != other.registers { text += "registers \(registers) \(other.registers); " }
    if parameters != other.parameters { text += "parameters \(parameters) \(other.parameters); " }
    if (isRunning, hasBegun, clocks) != (other.isRunning, other.hasBegun, other.clocks) {
      text +=
        "sequencer \(isRunning) \(hasBegun) \(clocks), \(other.isRunning) \(other.hasBegun) \(other.clocks); "
    }
    return text
  }

  mutating func play(_ message: MIDIMessage) {
    switch message {
    case .noteOn(let channel, let note, let velocity): keys[place(channel, note)] = velocity.value
    case .noteOff(let channel, let note, _): keys[place(channel, note)] = 0
    case .keyPressure(let channel, let note, let value): keyPressures[place(channel, note)] = value.value
    case .program(let channel, let value):
      let base = Int(channel.index) * Self.size
      set(channel, 0, [value.value, bank(controls[base]), bank(controls[base + 32])])
    case .pressure(let channel, let value): set(channel, 3, [value.value])
    case .bend(let channel, let value): set(channel, 4, [value.high.value, value.low.value])
    case .control(let channel, let number, let value): control(channel, number, value)
    case .start: (isRunning, hasBegun, clocks) = (true, false, 0)
    case .continue: (isRunning, hasBegun) = (true, false)
    case .stop: (isRunning, hasBegun) = (false, false)
    case .songPosition(let value): clocks = Int(value.value) * 6
    case .clock:
      if isRunning, hasBegun { clocks += 1 }
      hasBegun = isRunning
    default: break
    }
  }

  private func bank(_ value: UInt8) -> UInt8 { value == Self.unset ? 0 : value }

  private func place(_ channel: MIDIChannel, _ number: MIDIUInt7) -> Int {
    Int(channel.index) * Self.size + Int(number.value)
  }

  private mutating func set(_ channel: MIDIChannel, _ from: Int, _ values: [UInt8]) {
    for (offset, value) in values.enumerated() { registers[Int(channel.index) * 16 + from + offset] = value }
  }

  private mutating func control(_ channel: MIDIChannel, _ number: MIDIUInt7, _ value: MIDIUInt7) {
    let base = Int(channel.index) * Self.size
    switch Int(number.value) {
    case 98...101: select(channel, number, value)
    case 6, 38, 96, 97: enter(channel, Int(number.value), Int32(value.value))
    case 120, 123...127: for key in 0..<128 { keys[base + key] = 0 }
    case 121:
      // RP-015: all except bank, volume, pan, sound and effects controllers.
      let kept = [0, 32, 7, 39, 10, 42] + Array(70...79) + Array(91...95)
      for control in 0..<120 where !kept.contains(control) { controls[base + control] = Self.unset }
      for key in 0..<128 { keyPressures[base + key] = Self.unset }
      set(channel, 3, [Self.unset, Self.unset, Self.unset])
      set(channel, 6, [Self.unset, Self.unset, Self.unset])
    default: controls[base + Int(number.value)] = value.value
    }
  }

  /// Registers 6, 7 and 8: the kind, and the number's high and low part.
  private mutating func select(_ channel: MIDIChannel, _ number: MIDIUInt7, _ value: MIDIUInt7) {
    let kind: UInt8 = number >= 100 ? 1 : 0
    if number.value % 2 == 1 { return set(channel, 6, [kind, value.value, Self.unset]) }
    let place = Int(channel.index) * 16 + 6
    guard registers[place] == kind, registers[place + 1] != Self.unset else {
      return set(channel, 6, [Self.unset, Self.unset, Self.unset])
    }
    registers[place + 2] = value.value
    if registers[place + 1] == 127, value == 127 { set(channel, 6, [Self.unset, Self.unset, Self.unset]) }
  }

  private mutating func enter(_ channel: MIDIChannel, _ number: Int, _ value: Int32) {
    let place = Int(channel.index) * 16 + 6
    guard registers[place] != Self.unset, registers[place + 2] != Self.unset else { return }
    let key =
      ((Int(channel.index) * 2 + Int(registers[place])) * 128 + Int(registers[place + 1])) * 128
      + Int(registers[place + 2])
    var entry = parameters[key] ?? SIMD4(-1, -1, 0, 0)
    switch number {
    case 6: entry = SIMD4(value, -1, 0, 0)
    case 38: (entry[1], entry[2]) = (value, 0)
    default: entry[2] += number == 96 ? 1 : -1
    }
    parameters[key] = entry
  }
}
