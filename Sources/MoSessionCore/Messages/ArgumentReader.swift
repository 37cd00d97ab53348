import MoOSC
import MoTime

/// Reads a message's values one after the other, each of the type it must have.
struct ArgumentReader {
  private let values: [OSCArgument]
  private var place = 0

  init(_ values: [OSCArgument]) { self.values = values }

  var isAtEnd: Bool { place >= values.count }

  /// Whether a 64-bit integer comes next.
  var isLong: Bool {
    guard place < values.count, case .int64 = values[place] else { return false }
    return true
  }

  /// Whether a 32-bit number comes next.
  var isFloat: Bool {
    guard place < values.count, case .float = values[place] else { return false }
    return true
  }

  /// Whether a text comes next.
  var isText: Bool {
    guard place < values.count, case .string = values[place] else { return false }
    return true
  }

  private mutating func next() throws(SessionMessage.Refusal) -> OSCArgument {
    guard place < values.count else { throw .malformed }
    place += 1
    return values[place - 1]
  }

  mutating func int() throws(SessionMessage.Refusal) -> Int32 {
    guard case .int32(let value) = try next() else { throw .malformed }
    return value
  }

  mutating func long() throws(SessionMessage.Refusal) -> Int64 {
    guard case .int64(let value) = try next() else { throw .malformed }
    return value
  }

  mutating func text() throws(SessionMessage.Refusal) -> String {
    guard case .string(let value) = try next() else { throw .malformed }
    return value
  }

  mutating func bytes() throws(SessionMessage.Refusal) -> [UInt8] {
    guard case .blob(let value) = try next() else { throw .malformed }
    return value
  }

  mutating func float() throws(SessionMessage.Refusal) -> Float {
    guard case .float(let value) = try next(), !value.isNaN else { throw .malformed }
    return value
  }

  /// A number that is one.
  mutating func double() throws(SessionMessage.Refusal) -> Double {
    guard case .double(let value) = try next(), value.isFinite else { throw .malformed }
    return value
  }

  /// A number, or none.
  mutating func anyDouble() throws(SessionMessage.Refusal) -> Double {
    guard case .double(let value) = try next() else { throw .malformed }
    return value.isNaN ? .nan : value
  }

  /// A moment of somebody's host clock, within what can be reckoned with.
  mutating func host() throws(SessionMessage.Refusal) -> HostTime {
    let value = try long()
    guard value.magnitude < 1 << 62 else { throw .malformed }
    return HostTime(nanoseconds: value)
  }

  /// Somebody or nobody.
  mutating func id() throws(SessionMessage.Refusal) -> MemberID { MemberID(UInt64(bitPattern: try long())) }

  /// Somebody.
  mutating func member() throws(SessionMessage.Refusal) -> MemberID {
    let member = try id()
    guard member != .nobody else { throw .malformed }
    return member
  }
}
