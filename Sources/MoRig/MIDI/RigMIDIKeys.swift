import MIDICore

/// The MIDI keys that sensors hold down, and the state of each key that the port has received.
struct RigMIDIKeys: Sendable {
  private struct Key {
    var isDown = false
    var velocity: MIDIUInt7 = 64
    /// The sender whose value moved or held the key last.
    var owner: ObjectIdentifier
    /// The latest state that the port has received, true for down; nil if this state is unknown.
    var sent: Bool? = false
  }

  private let channel: MIDIChannel
  /// The keys that have been down at least once, by their number.
  private var keys: [UInt8: Key] = [:]
  private var isPending = false

  /// The hysteresis of a key, as a share of the value's range: the key is pressed above 0.5 + `hold`, and released
  /// below 0.5 − `hold`.
  private static let hold: Float = 0.05

  init(_ channel: MIDIChannel) { self.channel = channel }

  /// Handles a value.
  ///
  /// - Parameters:
  ///   - part: the value as a share of its range, 0…1.
  ///   - owner: the sender of the value.
  mutating func set(_ key: MIDIUInt7, _ part: Float, from owner: ObjectIdentifier) {
    let isDown = keys[key.value]?.isDown ?? false
    if !isDown, part > 0.5 + Self.hold {
      var pressed = keys[key.value] ?? Key(owner: owner)
      (pressed.isDown, pressed.owner) = (true, owner)
      pressed.velocity = MIDIUInt7(clamping: max(1, Int((part * 127).rounded())))
      keys[key.value] = pressed
      isPending = true
    } else if isDown {
      keys[key.value]?.owner = owner
      guard part < 0.5 - Self.hold else { return }
      keys[key.value]?.isDown = false
      isPending = true
    }
  }

  /// Releases the keys that a sender holds down, since its sensor was unplugged or removed.
  mutating func release(of owner: ObjectIdentifier) {
    for (number, key) in keys where key.isDown && key.owner == owner {
      keys[number]?.isDown = false
      isPending = true
    }
  }

  /// Makes the next call of `send` send the state of each key, as if the port had received nothing.
  ///
  /// This includes the keys that are up, since the port may have missed their release.
  mutating func forget() {
    for number in keys.keys { keys[number]?.sent = nil }
    isPending = !keys.isEmpty
  }

  /// Sends the state of each key whose state the port has not received.
  mutating func send(_ send: (MIDIMessage) -> Void) {
    guard isPending else { return }
    isPending = false
    for (number, key) in keys.sorted(by: { $0.key < $1.key }) where key.sent != key.isDown {
      keys[number]?.sent = key.isDown
      let name = MIDIUInt7(clamping: Int(number))
      send(
        key.isDown ? .noteOn(channel, name, velocity: key.velocity) : .noteOff(channel, name, velocity: 64))
    }
  }
}
