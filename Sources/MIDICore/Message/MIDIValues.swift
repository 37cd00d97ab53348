/// One of MIDI's sixteen channels, counted from 0 as in the bytes; players count from 1.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct MIDIChannel: Hashable, Sendable, BitwiseCopyable {
  /// The channel, 0…15.
  public let index: UInt8

  /// A channel from 0…15; nil for any other number.
  @inlinable
  public init?(exactly index: Int) {
    guard (0...15).contains(index) else { return nil }
    self.index = UInt8(index)
  }

  /// The channel in a status byte's low four bits.
  @inlinable
  public init(lowBitsOf status: UInt8) { index = status & 0x0F }

  /// The number that players use, 1…16.
  @inlinable
  public var number: Int { Int(index) + 1 }
}

/// A number of seven bits, 0…127: what one MIDI data byte holds.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct MIDIUInt7: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The number, 0…127.
  public let value: UInt8

  /// A number from 0…127; nil for any other.
  @inlinable
  public init?(exactly value: Int) {
    guard (0...127).contains(value) else { return nil }
    self.value = UInt8(value)
  }

  /// The low seven bits of a byte.
  @inlinable
  public init(lowBitsOf byte: UInt8) { value = byte & 0x7F }

  /// The nearest number in 0…127.
  @inlinable
  public init(clamping value: Int) { self.value = UInt8(min(max(value, 0), 127)) }

  /// Whether `left` is less than `right`.
  @inlinable
  public static func < (left: MIDIUInt7, right: MIDIUInt7) -> Bool { left.value < right.value }
}

/// A number of fourteen bits, 0…16383: what two MIDI data bytes hold.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct MIDIUInt14: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The number, 0…16383.
  public let value: UInt16

  /// A number from 0…16383; nil for any other.
  @inlinable
  public init?(exactly value: Int) {
    guard (0...0x3FFF).contains(value) else { return nil }
    self.value = UInt16(value)
  }

  /// The nearest number in 0…16383.
  @inlinable
  public init(clamping value: Int) { self.value = UInt16(min(max(value, 0), 0x3FFF)) }

  /// A number from its more and its less significant seven bits.
  @inlinable
  public init(high: MIDIUInt7, low: MIDIUInt7) { value = UInt16(high.value) << 7 | UInt16(low.value) }

  /// The more significant seven bits.
  @inlinable
  public var high: MIDIUInt7 { MIDIUInt7(lowBitsOf: UInt8(value >> 7)) }

  /// The less significant seven bits.
  @inlinable
  public var low: MIDIUInt7 { MIDIUInt7(lowBitsOf: UInt8(value & 0x7F)) }

  /// The middle, 8192: a pitch wheel at rest.
  @inlinable
  public static var center: MIDIUInt14 { MIDIUInt14(clamping: 0x2000) }

  /// Whether `left` is less than `right`.
  @inlinable
  public static func < (left: MIDIUInt14, right: MIDIUInt14) -> Bool { left.value < right.value }
}

extension MIDIUInt7: ExpressibleByIntegerLiteral {
  /// A number written in the source; it must be 0…127.
  @inlinable
  public init(integerLiteral value: Int) {
    precondition((0...127).contains(value), "a MIDI data byte is 0…127")
    self.value = UInt8(value)
  }
}

extension MIDIUInt14: ExpressibleByIntegerLiteral {
  /// A number written in the source; it must be 0…16383.
  @inlinable
  public init(integerLiteral value: Int) {
    precondition((0...0x3FFF).contains(value), "a MIDI number of fourteen bits is 0…16383")
    self.value = UInt16(value)
  }
}

extension MIDIChannel: ExpressibleByIntegerLiteral {
  /// A channel written in the source; it must be 0…15.
  @inlinable
  public init(integerLiteral value: Int) {
    precondition((0...15).contains(value), "a MIDI channel is 0…15")
    index = UInt8(value)
  }
}
