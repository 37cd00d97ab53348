/// A MIDI 1.0 message other than System Exclusive; none that is ill-formed can be made.
///
/// - Source: *MIDI 1.0 Detailed Specification* 4.2, tables I to VI.
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public enum MIDIMessage: Hashable, Sendable, BitwiseCopyable {
  /// A key is released, so fast.
  case noteOff(MIDIChannel, MIDIUInt7, velocity: MIDIUInt7)
  /// A key is pressed, so fast; with velocity 0 it is released.
  case noteOn(MIDIChannel, MIDIUInt7, velocity: MIDIUInt7)
  /// A key is held down, so hard (polyphonic aftertouch).
  case keyPressure(MIDIChannel, MIDIUInt7, MIDIUInt7)
  /// A controller has a value; numbers from 120 on are channel mode messages.
  case control(MIDIChannel, MIDIUInt7, MIDIUInt7)
  /// Another sound, 0…127.
  case program(MIDIChannel, MIDIUInt7)
  /// The keys are held down, so hard (channel aftertouch).
  case pressure(MIDIChannel, MIDIUInt7)
  /// The pitch wheel's place, 8192 at rest.
  case bend(MIDIChannel, MIDIUInt14)
  /// An eighth of a MIDI time code.
  case quarterFrame(MIDIUInt7)
  /// Where to continue, in sixteenth notes from the song's beginning.
  case songPosition(MIDIUInt14)
  /// Which song to play.
  case songSelect(MIDIUInt7)
  /// Analogue oscillators tune themselves.
  case tuneRequest
  /// A twenty-fourth of a quarter note passed.
  case clock
  /// Play from the beginning, at the next clock.
  case start
  /// Play from where the song stands, at the next clock.
  case `continue`
  /// Stop playing.
  case stop
  /// The cable is still connected.
  case activeSensing
  /// Everything returns to how it was at power-on.
  case reset

  /// The message that bytes say; nil for SysEx, undefined status bytes and data bytes above 127.
  ///
  /// Data bytes that the status does not have are not looked at.
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

  /// How many data bytes follow a status byte; nil for SysEx, undefined status bytes and data bytes.
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

  /// Whether the message may stand between the bytes of another one.
  @inlinable
  public var isRealTime: Bool { bytes.status >= 0xF8 }
}
