/// The size of a drum machine, and the index of each of its settings.
///
/// The indices are the same for all boards of the same size. Slots (the steps of the rows) come first, by
/// pattern, row and step. Then come the levels of all rows, the mutes of all rows and their sounds, then swing,
/// then the chain's length and its patterns. Slots, levels and swing are in thousandths: 800 for 0.8.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct DrumLayout: Hashable, Sendable, BitwiseCopyable {
  /// The number of rows (sounds), 1 … 16.
  public let rows: Int
  /// The number of steps in a pattern, 1 … 256.
  public let steps: Int
  /// The number of patterns that the machine stores, 1 … 16.
  public let patterns: Int

  /// The default size: 3 rows of 16 steps, 4 patterns.
  public static let standard = DrumLayout(known: 3, 16, 4)

  /// The maximum number of entries in a chain; a pattern may occur several times.
  public static let longestChain = 32

  /// Creates a size (default: 3 rows of 16 steps, 4 patterns).
  ///
  /// - Throws: `DrumError.size` for a size out of range.
  public init(rows: Int = 3, steps: Int = 16, patterns: Int = 4) throws(DrumError) {
    guard 1...16 ~= rows, 1...256 ~= steps, 1...16 ~= patterns else {
      throw .size(rows: rows, steps: steps, patterns: patterns)
    }
    self.init(known: rows, steps, patterns)
  }

  init(known rows: Int, _ steps: Int, _ patterns: Int) {
    (self.rows, self.steps, self.patterns) = (rows, steps, patterns)
  }

  /// The number of settings; their indices are 0 ..< `count`.
  @inlinable public var count: Int { slots + 3 * rows + 2 + DrumLayout.longestChain }

  @inlinable var slots: Int { patterns * rows * steps }
  package func slot(_ pattern: Int, _ row: Int, _ step: Int) -> Int { (pattern * rows + row) * steps + step }
  func level(_ row: Int) -> Int { slots + row }
  func mute(_ row: Int) -> Int { slots + rows + row }
  func sound(_ row: Int) -> Int { slots + 2 * rows + row }
  var swing: Int { slots + 3 * rows }
  package var chainLength: Int { swing + 1 }
  func chain(_ place: Int) -> Int { chainLength + 1 + place }

  /// Returns the default value of the setting with the index `key`.
  func usual(_ key: Int) -> UInt16 {
    switch key {
    case level(0)..<mute(0): 800
    case sound(0)..<swing: UInt16(DrumSound.usual(row: key - sound(0)).rawValue)
    case chainLength: 1
    default: 0
    }
  }

  /// Returns whether a value is valid for the setting with the index `key`.
  func takes(_ value: UInt16, at key: Int) -> Bool {
    switch key {
    case ..<level(0), level(0)..<mute(0), swing: value <= 1000
    case mute(0)..<sound(0): value <= 1
    case sound(0)..<swing: Int(value) < DrumSound.allCases.count
    case chainLength: 1...UInt16(Self.longestChain) ~= value
    default: Int(value) < patterns
    }
  }
}

/// An error of a drum machine's set-up; its text says what happened and what to do.
public enum DrumError: Error, CustomStringConvertible, Equatable {
  /// A number is out of range: a machine has 1 … 16 rows, 1 … 256 steps and 1 … 16 patterns.
  case size(rows: Int, steps: Int, patterns: Int)
  /// A line of a pattern's text cannot be parsed; `number` counts lines from 1.
  case line(number: Int, text: String, reason: String)
  /// A pattern's text contains no row.
  case noRows
  /// A file with a pattern cannot be read.
  case file(path: String, reason: String)
  /// A folder contains no sound files.
  case noSounds(folder: String)

  /// The error text: what happened and what to do.
  public var description: String {
    switch self {
    case .size(let rows, let steps, let patterns):
      "a drum machine cannot have \(rows) rows, \(steps) steps and \(patterns) patterns: "
        + "give it 1 to 16 rows, 1 to 256 steps and 1 to 16 patterns"
    case .line(let number, let text, let reason):
      "line \(number) of the pattern, \"\(text)\": \(reason)"
    case .noRows:
      "the pattern has no rows: write one a line, such as \"kick x...x...x...x...\""
    case .file(let path, let reason): "cannot read the pattern \(path): \(reason)"
    case .noSounds(let folder):
      "\(folder) holds no sounds: put files such as kick.wav, snare.wav and hat.wav there"
    }
  }
}
