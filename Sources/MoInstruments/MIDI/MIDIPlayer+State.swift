import MIDICore

/// The state that a `MIDIPlayer` keeps for ports, channels and notes.
extension MIDIPlayer {
  /// The state of a port; two devices of the same name have ports with different numbers.
  struct Port {
    let name: String
    let number: Int
    var reader = MIDIParameterReader()
    var channels = InlineArray<16, Channel>(repeating: Channel())
    var zones = MPEZones()
  }

  struct Channel {
    /// The position of the pitch wheel, -1…1.
    var wheel: Float = 0
    /// The bend at either end of the pitch wheel, in semitones; nil for the default: 48 on a member channel of an MPE
    /// zone, 2 on other channels.
    var range: Float?
    var pressure: Float = 0
    var isPedalDown = false
  }

  /// A channel of a port.
  struct Place: Equatable {
    /// The index of the port in `ports`.
    var port: Int
    var channel: MIDIChannel
  }

  struct Held {
    var id: Int32
    var place: Place
    var key: UInt8
    var velocity: Float
    var isDown = true
  }
}
