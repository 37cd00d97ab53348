import Glibc

/// A pattern compiled to a state machine with a state for each position in it, all followed in parallel.
///
/// So no pattern, however hostile, takes longer than its length times that of the address (K. Thompson, "Regular
/// expression search algorithm", 1968). Every transition without a byte leads forward, so a single pass finds them all.
struct PatternMachine: Sendable {
  /// The bytes that a state accepts, and the states that follow it.
  enum Step: Sendable {
    /// Matches this byte.
    case byte(UInt8)
    /// Matches any byte but '/': `?`.
    case any
    /// Matches a byte of a set, but not '/': `[...]`.
    case set(ByteSet)
    /// Goes on to the next state without a byte, or stays at any byte but '/': `*`.
    case star
    /// Goes on without a byte, both to the next state and to another.
    case fork(Int)
    /// Goes on to another state without a byte.
    case jump(Int)
    /// At the start of a level, for `//`: goes on after `withinLevel` without a byte, or to `withinLevel` at any byte
    /// but '/'.
    case levels
    /// Within a level that is skipped, for `//`: stays at any byte but '/', and goes back to `levels` at a '/'.
    case withinLevel
    /// The end of the pattern.
    case end
  }

  private let steps: [Step]
  /// The bytes before the first wildcard, compared in one step.
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

  /// Adds the states that can be reached without a byte.
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

/// Up to 512 states, as bits.
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

  /// Returns the lowest state from `start` on.
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
