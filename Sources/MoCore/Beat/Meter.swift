/// The meter of the music, such as 4/4, 3/4 or 7/8.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct Meter: Hashable, Sendable, BitwiseCopyable {
  /// The number of beats in a bar, 1…64: the upper number.
  public let beatsPerBar: Int
  /// The note value of a beat, 1, 2, 4, 8, 16 or 32: the lower number, such as 8 for eighth notes.
  public let unit: Int

  /// Creates a meter; nil if the numbers are out of range.
  public init?(_ beatsPerBar: Int, _ unit: Int) {
    guard (1...64).contains(beatsPerBar), (1...32).contains(unit), unit.nonzeroBitCount == 1 else {
      return nil
    }
    self.init(known: beatsPerBar, unit)
  }

  private init(known beatsPerBar: Int, _ unit: Int) { (self.beatsPerBar, self.unit) = (beatsPerBar, unit) }

  /// The meter 4/4.
  public static let common = Meter(known: 4, 4)
}

extension Meter: CustomStringConvertible {
  /// The meter as musicians write it: `4/4`.
  public var description: String { "\(beatsPerBar)/\(unit)" }

  /// Reads a meter such as `7/8`; nil if the text is not a meter.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let beats = Int(parts[0]), let unit = Int(parts[1]) else { return nil }
    self.init(beats, unit)
  }
}

/// A grid of lines in the music, such as each sixteenth; notes and changes wait for the next line.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public enum BeatGrid: Hashable, Sendable, BitwiseCopyable {
  /// No grid: immediately.
  case now
  /// The next line of a grid of equal notes: 16, 8, 4, 2 or 1 for sixteenth, eighth, quarter, half or whole notes.
  ///
  /// The numbers 3, 6 and 12 mean triplets of half, quarter and eighth notes. Numbers are clamped to 1 … 64.
  case note(Int)
  /// The next beat.
  case beat
  /// The next bar line.
  case bar

  /// The next sixteenth note.
  public static let sixteenth = note(16)
  /// The next eighth note.
  public static let eighth = note(8)
  /// The next quarter note.
  public static let quarter = note(4)

  /// Returns the number of beats from one line of the grid to the next; 0 for `now`.
  @inlinable
  public func step(in meter: Meter) -> Double {
    switch self {
    case .now: 0
    case .note(let part): Double(meter.unit) / Double(max(1, min(part, 64)))
    case .beat: 1
    case .bar: Double(meter.beatsPerBar)
    }
  }
}
