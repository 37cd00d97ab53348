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

/// The bytes of a message: a status byte and up to two data bytes.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct MIDIBytes: Hashable, Sendable, BitwiseCopyable {
  /// The status byte, 0x80…0xFF.
  public let status: UInt8
  /// The first data byte; 0 if there is none.
  public let first: UInt8
  /// The second data byte; 0 if there is none.
  public let second: UInt8
  /// The number of bytes of the message, 1…3.
  public let count: Int

  @inlinable
  init(_ status: UInt8, _ channel: MIDIChannel? = nil) {
    (self.status, first, second, count) = (status | (channel?.index ?? 0), 0, 0, 1)
  }

  @inlinable
  init(_ status: UInt8, _ channel: MIDIChannel? = nil, _ first: MIDIUInt7) {
    (self.status, self.first, second, count) = (status | (channel?.index ?? 0), first.value, 0, 2)
  }

  @inlinable
  init(_ status: UInt8, _ channel: MIDIChannel? = nil, _ first: MIDIUInt7, _ second: MIDIUInt7) {
    (self.status, self.first) = (status | (channel?.index ?? 0), first.value)
    (self.second, count) = (second.value, 3)
  }

  /// The byte at an index: the status byte at index 0, and the last data byte at index `count` − 1.
  @inlinable
  public subscript(index: Int) -> UInt8 { index == 0 ? status : index == 1 ? first : second }

  /// Appends the bytes to an array; the call allocates memory only if the array's capacity is used up.
  @inlinable
  public func append(to bytes: inout [UInt8]) {
    bytes.append(status)
    appendData(to: &bytes)
  }

  /// Appends the data bytes to an array, without the status byte.
  @inlinable
  func appendData(to bytes: inout [UInt8]) {
    if count > 1 { bytes.append(first) }
    if count > 2 { bytes.append(second) }
  }
}

extension MIDIMessage {
  /// The bytes of this message, always with the status byte.
  @inlinable
  public var bytes: MIDIBytes {
    switch self {
    case .noteOff(let channel, let note, let velocity): MIDIBytes(0x80, channel, note, velocity)
    case .noteOn(let channel, let note, let velocity): MIDIBytes(0x90, channel, note, velocity)
    case .keyPressure(let channel, let note, let value): MIDIBytes(0xA0, channel, note, value)
    case .control(let channel, let number, let value): MIDIBytes(0xB0, channel, number, value)
    case .program(let channel, let program): MIDIBytes(0xC0, channel, program)
    case .pressure(let channel, let value): MIDIBytes(0xD0, channel, value)
    case .bend(let channel, let place): MIDIBytes(0xE0, channel, place.low, place.high)
    case .quarterFrame(let piece): MIDIBytes(0xF1, nil, piece)
    case .songPosition(let place): MIDIBytes(0xF2, nil, place.low, place.high)
    case .songSelect(let song): MIDIBytes(0xF3, nil, song)
    case .tuneRequest: MIDIBytes(0xF6)
    case .clock: MIDIBytes(0xF8)
    case .start: MIDIBytes(0xFA)
    case .continue: MIDIBytes(0xFB)
    case .stop: MIDIBytes(0xFC)
    case .activeSensing: MIDIBytes(0xFE)
    case .reset: MIDIBytes(0xFF)
    }
  }
}
