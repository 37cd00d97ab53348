/// A MIDI 1.0 message other than System Exclusive; a malformed message cannot be created.
///
/// - Source: *MIDI 1.0 Detailed Specification* 4.2, tables I to VI.
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public enum MIDIMessage: Hashable, Sendable, BitwiseCopyable {
  /// A key is released, with this velocity.
  case noteOff(MIDIChannel, MIDIUInt7, velocity: MIDIUInt7)
  /// A key is pressed, with this velocity; the velocity 0 means that the key is released.
  case noteOn(MIDIChannel, MIDIUInt7, velocity: MIDIUInt7)
  /// The pressure on a key that is held (polyphonic aftertouch).
  case keyPressure(MIDIChannel, MIDIUInt7, MIDIUInt7)
  /// A new value of a controller; controller numbers from 120 on are commands to the channel, such as 123 (all notes
  /// off).
  case control(MIDIChannel, MIDIUInt7, MIDIUInt7)
  /// Selects a sound, 0…127.
  case program(MIDIChannel, MIDIUInt7)
  /// The pressure on the keys that are held (channel aftertouch).
  case pressure(MIDIChannel, MIDIUInt7)
  /// The position of the pitch wheel, 8192 at rest.
  case bend(MIDIChannel, MIDIUInt14)
  /// A piece of a position in video time (MIDI time code); eight pieces make a position.
  case quarterFrame(MIDIUInt7)
  /// The position at which to continue, in sixteenth notes from the start of the song.
  case songPosition(MIDIUInt14)
  /// Selects the song to play.
  case songSelect(MIDIUInt7)
  /// Tells analogue oscillators to tune themselves.
  case tuneRequest
  /// A twenty-fourth of a quarter note has passed.
  case clock
  /// Play from the start of the song, at the next clock.
  case start
  /// Play from the present position of the song, at the next clock.
  case `continue`
  /// Stop playing.
  case stop
  /// The cable is still connected; a sender of this message repeats it at least every 0.3 s.
  case activeSensing
  /// Reset everything to its state at power-on.
  case reset

  /// Creates the message of these bytes; nil for SysEx, undefined status bytes and data bytes above 127.
  ///
  /// If the status byte requires fewer data bytes than were given, the remaining bytes are ignored.
  @inlinable
  public init?(status: UInt8, _ first: UInt8 = 0, _ second: UInt8 = 0) {
    let count = MIDIMessage.dataCount(ofStatus: status)
    guard let count, count < 1 || first < 0x80, count < 2 || second < 0x80 else { return nil }
    let (channel, one, two) = (
      MIDIChannel(lowBitsOf: status), MIDIUInt7(lowBitsOf: first), MIDIUInt7(lowBitsOf: second)
    )
    switch status {
    case 0x80...0x8F: self = .noteOff(channel, one, velocity: two)
    case 0x90...0x9F: self = .noteOn(channel, one, velocity: two)
    case 0xA0...0xAF: self = .keyPressure(channel, one, two)
    case 0xB0...0xBF: self = .control(channel, one, two)
    case 0xC0...0xCF: self = .program(channel, one)
    case 0xD0...0xDF: self = .pressure(channel, one)
    case 0xE0...0xEF: self = .bend(channel, MIDIUInt14(high: two, low: one))
    case 0xF1: self = .quarterFrame(one)
    case 0xF2: self = .songPosition(MIDIUInt14(high: two, low: one))
    case 0xF3: self = .songSelect(one)
    case 0xF6: self = .tuneRequest
    case 0xF8: self = .clock
    case 0xFA: self = .start
    case 0xFB: self = .continue
    case 0xFC: self = .stop
    case 0xFE: self = .activeSensing
    default: self = .reset
    }
  }

  /// Returns the number of data bytes after a status byte; nil for SysEx, an undefined status byte or a data byte.
  @inlinable
  public static func dataCount(ofStatus status: UInt8) -> Int? {
    switch status {
    case 0x80...0xBF, 0xE0...0xEF, 0xF2: 2
    case 0xC0...0xDF, 0xF1, 0xF3: 1
    case 0xF6, 0xF8, 0xFA, 0xFB, 0xFC, 0xFE, 0xFF: 0
    default: nil
    }
  }

  /// The channel of a channel message; nil for system messages.
  @inlinable
  public var channel: MIDIChannel? {
    switch self {
    case .noteOff(let channel, _, _), .noteOn(let channel, _, _), .keyPressure(let channel, _, _),
      .control(let channel, _, _), .program(let channel, _), .pressure(let channel, _),
      .bend(let channel, _):
      channel
    default: nil
    }
  }

  /// Whether this is a real-time message, which may occur between the bytes of another message.
  @inlinable
  public var isRealTime: Bool { bytes.status >= 0xF8 }
}
