import MoCore
import MoOSC

/// A reason why a message cannot be decoded.
package enum MessageError: Error {
  /// The message is not valid OSC, or not a valid message of the protocol.
  case malformed
  /// The message has another version of the protocol; the value is that version.
  case version(Int32)
  /// The message's address is not an address that a member receives.
  case foreign
}

extension OSCArgument {
  /// Encodes a member's ID.
  package static func id(_ member: MemberID) -> OSCArgument { .int64(Int64(bitPattern: member.bits)) }
}

/// A reader of a message's values, in order; a value of another type than the requested type is malformed.
package struct ArgumentReader {
  private let values: [OSCArgument]
  private var place = 0

  /// Creates a reader of a message's values.
  package init(_ values: [OSCArgument]) { self.values = values }

  /// Whether all values have been read.
  package var isAtEnd: Bool { place >= values.count }

  /// Whether a 64-bit integer comes next.
  package var isLong: Bool {
    guard place < values.count, case .int64 = values[place] else { return false }
    return true
  }

  /// Whether a 32-bit floating-point number comes next.
  package var isFloat: Bool {
    guard place < values.count, case .float = values[place] else { return false }
    return true
  }

  /// Whether a text comes next.
  package var isText: Bool {
    guard place < values.count, case .string = values[place] else { return false }
    return true
  }

  private mutating func next() throws(MessageError) -> OSCArgument {
    guard place < values.count else { throw .malformed }
    place += 1
    return values[place - 1]
  }

  /// Reads a 32-bit integer.
  package mutating func int() throws(MessageError) -> Int32 {
    guard case .int32(let value) = try next() else { throw .malformed }
    return value
  }

  /// Reads a 64-bit integer.
  package mutating func long() throws(MessageError) -> Int64 {
    guard case .int64(let value) = try next() else { throw .malformed }
    return value
  }

  /// Reads a text.
  package mutating func text() throws(MessageError) -> String {
    guard case .string(let value) = try next() else { throw .malformed }
    return value
  }

  /// Reads a blob.
  package mutating func bytes() throws(MessageError) -> [UInt8] {
    guard case .blob(let value) = try next() else { throw .malformed }
    return value
  }

  /// Reads a 32-bit floating-point number; NaN is malformed.
  package mutating func float() throws(MessageError) -> Float {
    guard case .float(let value) = try next(), !value.isNaN else { throw .malformed }
    return value
  }

  /// Reads a 64-bit floating-point number; NaN and infinity are malformed.
  package mutating func double() throws(MessageError) -> Double {
    guard case .double(let value) = try next(), value.isFinite else { throw .malformed }
    return value
  }

  /// Reads a 64-bit floating-point number, which may be NaN or infinite.
  package mutating func anyDouble() throws(MessageError) -> Double {
    guard case .double(let value) = try next() else { throw .malformed }
    return value.isNaN ? .nan : value
  }

  /// Reads a time of a member's host clock, within ±2^62 ns.
  package mutating func host() throws(MessageError) -> HostTime {
    let value = try long()
    guard value.magnitude < 1 << 62 else { throw .malformed }
    return HostTime(nanoseconds: value)
  }

  /// Reads a member's ID, or `nobody`.
  package mutating func id() throws(MessageError) -> MemberID { MemberID(UInt64(bitPattern: try long())) }

  /// Reads a member's ID; `nobody` is malformed.
  package mutating func member() throws(MessageError) -> MemberID {
    let member = try id()
    guard member != .nobody else { throw .malformed }
    return member
  }
}

extension [UInt8] {
  /// Appends the lowest `count` bytes of a number, in network order.
  mutating func append(_ number: UInt64, count: Int) {
    for place in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place))) }
  }
}

/// A reader of numbers in a byte array.
struct ByteReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Returns the big-endian number in the next `count` bytes; nil if fewer bytes are left.
  mutating func number(_ count: Int) -> UInt64? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
