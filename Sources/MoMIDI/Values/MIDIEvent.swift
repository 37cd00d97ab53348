import MIDICore
import MoCore

/// A MIDI message with its time and the port that sent it.
///
/// - Thread: any.
public struct MIDIEvent: Hashable, Sendable {
  /// The message; a note-on of velocity 0 arrives as a note-off.
  public var message: MIDIMessage
  /// The time at which the key was pressed or the knob was turned; for a device, the kernel's time stamp.
  public var time: HostTime
  /// The name of the port that sent the message, such as `nanoKEY2 MIDI 1`.
  public var port: String
  /// Whether `time` is the moment at which the message must be heard, as for a file that is played by a room's beat.
  ///
  /// If false, `time` is the moment at which the message was played.
  package var isScheduled = false
  /// The port's number in this program, which differs for two devices of the same name.
  package var portNumber = 0

  /// Creates an event from its parts.
  public init(_ message: MIDIMessage, at time: HostTime, port: String = "") {
    (self.message, self.time, self.port) = (message, time, port)
  }

  /// The channel, 1…16; 0 for messages without a channel.
  public var channel: Int { message.channel?.number ?? 0 }
}

/// A key that was pressed or released.
public struct MIDINote: Hashable, Sendable {
  /// The key, 0…127; 60 is the middle C.
  public var key: Int
  /// The velocity of the press, above 0 and at most 1; 0 if the key was released.
  public var velocity: Float
  /// The channel, 1…16.
  public var channel: Int
  /// The name of the port that sent the message.
  public var port: String
  /// The time at which the key was pressed or released.
  public var time: HostTime

  /// Whether the key was pressed.
  public var isOn: Bool { velocity > 0 }

  /// Creates the note that an event reports; nil if the event has another message.
  public init?(_ event: MIDIEvent) {
    switch event.message {
    case .noteOn(_, let key, let velocity):
      (self.key, self.velocity) = (Int(key.value), Float(velocity.value) / 127)
    case .noteOff(_, let key, _): (self.key, velocity) = (Int(key.value), 0)
    default: return nil
    }
    (channel, port, time) = (event.channel, event.port, event.time)
  }
}

/// A new value of a controller.
public struct MIDIControl: Hashable, Sendable {
  /// The controller, 0…127: 1 is the modulation wheel, 64 the sustain pedal.
  public var number: Int
  /// The value, 0…1.
  public var value: Float
  /// The channel, 1…16.
  public var channel: Int
  /// The name of the port that sent the message.
  public var port: String
  /// The time at which the controller changed.
  public var time: HostTime

  /// Creates the controller's value that an event reports; nil if the event has another message.
  public init?(_ event: MIDIEvent) {
    guard case .control(_, let number, let value) = event.message else { return nil }
    (self.number, self.value) = (Int(number.value), Float(value.value) / 127)
    (channel, port, time) = (event.channel, event.port, event.time)
  }
}

/// A new position of a pitch wheel.
public struct MIDIBend: Hashable, Sendable {
  /// The position, -1…1; 0 at rest.
  public var value: Float
  /// The channel, 1…16.
  public var channel: Int
  /// The name of the port that sent the message.
  public var port: String
  /// The time at which the pitch wheel was moved.
  public var time: HostTime

  /// Creates the wheel's position that an event reports; nil if the event has another message.
  public init?(_ event: MIDIEvent) {
    guard case .bend(_, let place) = event.message else { return nil }
    value = MIDIBend.part(place)
    (channel, port, time) = (event.channel, event.port, event.time)
  }

  /// Converts the 14 bits of a pitch wheel to a position -1…1; 8192, the position at rest, becomes 0.
  ///
  /// The wheel has 8192 positions below 8192 but only 8191 above it, so each side is scaled by its own factor.
  package static func part(_ place: MIDIUInt14) -> Float {
    let steps = Float(place.value) - 8192
    return steps < 0 ? steps / 8192 : steps / 8191
  }
}

/// The pressure on held keys (aftertouch).
public struct MIDIPressure: Hashable, Sendable {
  /// The pressure, 0…1.
  public var value: Float
  /// The key, 0…127; nil for the whole channel.
  public var key: Int?
  /// The channel, 1…16.
  public var channel: Int
  /// The name of the port that sent the message.
  public var port: String
  /// The time at which the pressure changed.
  public var time: HostTime

  /// Creates the pressure that an event reports; nil if the event has another message.
  public init?(_ event: MIDIEvent) {
    switch event.message {
    case .pressure(_, let value): (self.value, key) = (Float(value.value) / 127, nil)
    case .keyPressure(_, let key, let value):
      (self.value, self.key) = (Float(value.value) / 127, Int(key.value))
    default: return nil
    }
    (channel, port, time) = (event.channel, event.port, event.time)
  }
}

/// A program change: the selection of another sound.
public struct MIDIProgram: Hashable, Sendable {
  /// The program, 0…127.
  public var number: Int
  /// The channel, 1…16.
  public var channel: Int
  /// The name of the port that sent the message.
  public var port: String
  /// The time at which the program was selected.
  public var time: HostTime

  /// Creates the program change that an event reports; nil if the event has another message.
  public init?(_ event: MIDIEvent) {
    guard case .program(_, let number) = event.message else { return nil }
    self.number = Int(number.value)
    (channel, port, time) = (event.channel, event.port, event.time)
  }
}

/// A System Exclusive message.
public struct MIDISysEx: Hashable, Sendable {
  /// The bytes of the message; the first byte is F0, the last byte is F7.
  ///
  /// A callback may keep the bytes; `MoMIDI` then allocates a new buffer for the next message.
  public var bytes: [UInt8]
  /// The name of the port that sent the message.
  public var port: String
  /// The time at which the last byte of the message arrived.
  public var time: HostTime

  /// Creates a message from its parts.
  public init(_ bytes: [UInt8], at time: HostTime, port: String = "") {
    (self.bytes, self.time, self.port) = (bytes, time, port)
  }
}
