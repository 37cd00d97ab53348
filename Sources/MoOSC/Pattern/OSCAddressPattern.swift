import Glibc

/// An address, or a pattern that matches several addresses.
///
/// OSC 1.0 defines these wildcards, none of which matches a `/`: `?` matches any character, and `*` any number of
/// characters. `[abc]` and `[a-z]` match a listed character, `[!abc]` matches any other character, and `{foo,bar}`
/// matches either word. OSC 1.1 adds `//` for any number of levels: `//hit` matches each address that ends with `/hit`,
/// and `//*` matches every address.
///
/// - Thread: any.
package struct OSCAddressPattern: Hashable, Sendable {
  /// The text of the address or pattern.
  package let text: String
  private let machine: PatternMachine?

  /// The greatest length of a pattern, in bytes; a plain address may be longer.
  package static let longest = 255

  /// Reads an address or a pattern.
  ///
  /// - Throws: `OSCError.unsendable`, whose text says what is wrong with the text.
  package init(_ text: String) throws(OSCError) {
    self.text = text
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "/") else {
      throw .unsendable("the address '\(text)' does not begin with '/'")
    }
    machine = try PatternMachine(bytes, text)
  }

  /// Whether the text is a plain address, without wildcards.
  package var isLiteral: Bool { machine == nil }

  /// Returns whether the pattern matches an address.
  package func matches(_ address: String) -> Bool {
    var address = address
    return address.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  /// Returns whether the pattern matches an address, given by its bytes without the closing zero.
  ///
  /// - Real-time safe: yes; the time grows at most with the pattern's length times the address's length.
  package func matches(_ address: UnsafeRawBufferPointer) -> Bool {
    if let machine { return machine.accepts(address) }
    let utf8 = text.utf8
    guard utf8.count == address.count, let start = address.baseAddress else { return false }
    return utf8.withContiguousStorageIfAvailable { memcmp($0.baseAddress!, start, address.count) == 0 }
      ?? utf8.elementsEqual(address)
  }

  /// Returns whether two patterns have the same text.
  package static func == (left: OSCAddressPattern, right: OSCAddressPattern) -> Bool {
    left.text == right.text
  }

  /// Hashes the text of the pattern.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// An address pattern, compiled to a state machine; the machine follows all possible states in parallel.
///
/// Each position in the pattern is a state. So the time for a match grows at most with the pattern's length times the
/// address's length, even for a hostile pattern (K. Thompson, "Regular expression search algorithm", 1968). Each
/// transition that reads no byte leads to a later state, so a single pass over the states finds all these transitions.
struct PatternMachine: Sendable {
  /// The bytes that a state accepts, and the states that follow it.
  enum Step: Sendable {
    /// Matches the given byte.
    case byte(UInt8)
    /// `?`: matches any byte but '/'.
    case any
    /// `[...]`: matches a byte of the set, but not '/'.
    case set(ByteSet)
    /// `*`: goes on to the next state without reading a byte; also stays in this state if the next byte is not '/'.
    case star
    /// Goes on to two states without reading a byte: to the next state, and to the state with the given index.
    case fork(Int)
    /// Goes on to the state with the given index without reading a byte.
    case jump(Int)
    /// `//`, at the start of a level: goes on to the state after `withinLevel` without reading a byte.
    ///
    /// In parallel, any byte but '/' leads to `withinLevel`. A level is the part of an address between two '/'.
    case levels
    /// `//`, within a skipped level: stays at any byte but '/'; a '/' leads back to `levels`.
    case withinLevel
    /// The end of the pattern.
    case end
  }

  private let steps: [Step]
  /// The bytes before the first wildcard, which are compared all at once.
  private let prefix: [UInt8]

  init(prefix: [UInt8], steps: [Step]) {
    self.prefix = prefix
    self.steps = steps
  }

  /// Returns whether the pattern matches an address.
  func accepts(_ address: UnsafeRawBufferPointer) -> Bool {
    guard address.count >= prefix.count, let start = address.baseAddress,
      prefix.withUnsafeBytes({ $0.isEmpty || memcmp($0.baseAddress!, start, $0.count) == 0 })
    else { return false }
    return steps.withUnsafeBufferPointer { steps in
      var active = StateSet()
      active.insert(0)
      close(&active, steps)
      for byte in address[prefix.count...] {
        var next = StateSet()
        var state = 0
        while let found = active.first(from: state) {
          advance(found, byte, steps, &next)
          state = found + 1
        }
        guard !next.isEmpty else { return false }
        active = next
        close(&active, steps)
      }
      return active.contains(steps.count - 1)
    }
  }

  private func advance(
    _ state: Int, _ byte: UInt8, _ steps: UnsafeBufferPointer<Step>, _ next: inout StateSet
  ) {
    let slash = UInt8(ascii: "/")
    switch steps[state] {
    case .byte(let wanted): if byte == wanted { next.insert(state + 1) }
    case .any: if byte != slash { next.insert(state + 1) }
    case .set(let set): if byte != slash && set.contains(byte) { next.insert(state + 1) }
    case .star: if byte != slash { next.insert(state) }
    case .levels: if byte != slash { next.insert(state + 1) }
    case .withinLevel: next.insert(byte == slash ? state - 1 : state)
    case .fork, .jump, .end: break
    }
  }

  /// Adds all states that the active states reach without reading a byte.
  private func close(_ active: inout StateSet, _ steps: UnsafeBufferPointer<Step>) {
    var state = 0
    while let found = active.first(from: state) {
      switch steps[found] {
      case .star: active.insert(found + 1)
      case .fork(let other):
        active.insert(found + 1)
        active.insert(other)
      case .jump(let other): active.insert(other)
      case .levels: active.insert(found + 2)
      default: break
      }
      state = found + 1
    }
  }
}

/// A set of ASCII bytes.
struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  var isNegated = false

  mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << byte } else if byte < 128 { high |= 1 << (byte - 64) }
  }

  func contains(_ byte: UInt8) -> Bool {
    let isIn = byte < 64 ? low >> byte & 1 == 1 : byte < 128 && high >> (byte - 64) & 1 == 1
    return isIn != isNegated
  }
}

/// A set of states: a bit for each state index from 0 to 511.
struct StateSet {
  private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (
    0, 0, 0, 0, 0, 0, 0, 0
  )

  /// The largest number of states.
  static let capacity = 512

  var isEmpty: Bool {
    words.0 | words.1 | words.2 | words.3 | words.4 | words.5 | words.6 | words.7 == 0
  }

  mutating func insert(_ state: Int) {
    withUnsafeMutableBytes(of: &words) { bytes in
      bytes.withMemoryRebound(to: UInt64.self) { $0[state >> 6] |= 1 << UInt64(state & 63) }
    }
  }

  func contains(_ state: Int) -> Bool { first(from: state) == state }

  /// Returns the lowest state in the set that is at or above `start`; nil if there is none.
  func first(from start: Int) -> Int? {
    withUnsafeBytes(of: words) { bytes in
      bytes.withMemoryRebound(to: UInt64.self) { words in
        var word = start >> 6
        guard word < words.count else { return nil }
        var bits = words[word] & (.max << UInt64(start & 63))
        while bits == 0 {
          word += 1
          guard word < words.count else { return nil }
          bits = words[word]
        }
        return word << 6 + bits.trailingZeroBitCount
      }
    }
  }
}
