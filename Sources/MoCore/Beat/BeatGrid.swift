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
  /// The numbers 3, 6 and 12 mean triplets of half, quarter and eighth notes.
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
    case .note(let part): Double(meter.unit) / Double(max(1, part))
    case .beat: 1
    case .bar: Double(meter.beatsPerBar)
    }
  }
}
