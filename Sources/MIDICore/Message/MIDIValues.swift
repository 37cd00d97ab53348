/// A MIDI channel, counted from 0 as in a status byte; musicians count the sixteen channels from 1.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct MIDIChannel: Hashable, Sendable, BitwiseCopyable {
  /// The channel, 0…15.
  public let index: UInt8

  /// Creates a channel from 0…15; nil for any other number.
  @inlinable
  public init?(exactly index: Int) {
    guard (0...15).contains(index) else { return nil }
    self.index = UInt8(index)
  }

  /// Creates a channel from a status byte's low four bits.
  @inlinable
  public init(lowBitsOf status: UInt8) { index = status & 0x0F }

  /// The number that musicians use for the channel, 1…16.
  @inlinable
  public var number: Int { Int(index) + 1 }
}

/// A number of seven bits, 0…127, as in a MIDI data byte.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct MIDIUInt7: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The number, 0…127.
  public let value: UInt8

  /// Creates a number from 0…127; nil for any other value.
  @inlinable
  public init?(exactly value: Int) {
    guard (0...127).contains(value) else { return nil }
    self.value = UInt8(value)
  }

  /// Creates a number from the low seven bits of a byte.
  @inlinable
  public init(lowBitsOf byte: UInt8) { value = byte & 0x7F }

  /// Creates the nearest number in 0…127.
  @inlinable
  public init(clamping value: Int) { self.value = UInt8(min(max(value, 0), 127)) }

  /// Returns whether `left` is less than `right`.
  @inlinable
  public static func < (left: MIDIUInt7, right: MIDIUInt7) -> Bool { left.value < right.value }
}

/// A number of fourteen bits, 0…16383, as in two MIDI data bytes.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct MIDIUInt14: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The number, 0…16383.
  public let value: UInt16

  /// Creates a number from 0…16383; nil for any other value.
  @inlinable
  public init?(exactly value: Int) {
    guard (0...0x3FFF).contains(value) else { return nil }
    self.value = UInt16(value)
  }

  /// Creates the nearest number in 0…16383.
  @inlinable
  public init(clamping value: Int) { self.value = UInt16(min(max(value, 0), 0x3FFF)) }

  /// Creates a number from its high and its low seven bits.
  @inlinable
  public init(high: MIDIUInt7, low: MIDIUInt7) { value = UInt16(high.value) << 7 | UInt16(low.value) }

  /// The high seven bits.
  @inlinable
  public var high: MIDIUInt7 { MIDIUInt7(lowBitsOf: UInt8(value >> 7)) }

  /// The low seven bits.
  @inlinable
  public var low: MIDIUInt7 { MIDIUInt7(lowBitsOf: UInt8(value & 0x7F)) }

  /// The middle of the range, 8192: the value of a pitch wheel at rest.
  @inlinable
  public static var center: MIDIUInt14 { MIDIUInt14(clamping: 0x2000) }

  /// Returns whether `left` is less than `right`.
  @inlinable
  public static func < (left: MIDIUInt14, right: MIDIUInt14) -> Bool { left.value < right.value }
}

extension MIDIUInt7: ExpressibleByIntegerLiteral {
  /// Creates a number from a literal, which must be 0…127.
  @inlinable
  public init(integerLiteral value: Int) {
    precondition((0...127).contains(value), "a MIDI data byte is 0…127")
    self.value = UInt8(value)
  }
}

extension MIDIUInt14: ExpressibleByIntegerLiteral {
  /// Creates a number from a literal, which must be 0…16383.
  @inlinable
  public init(integerLiteral value: Int) {
    precondition((0...0x3FFF).contains(value), "a MIDI number of fourteen bits is 0…16383")
    self.value = UInt16(value)
  }
}

extension MIDIChannel: ExpressibleByIntegerLiteral {
  /// Creates a channel from a literal, which must be 0…15.
  @inlinable
  public init(integerLiteral value: Int) {
    precondition((0...15).contains(value), "a MIDI channel is 0…15")
    index = UInt8(value)
  }
}
