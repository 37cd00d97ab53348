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
