/// Where in the music something may happen: what gestures and changes are drawn to.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public enum BeatGrid: Hashable, Sendable, BitwiseCopyable {
  /// At once.
  case now
  /// The sixteenth, eighth, quarter, half or whole note that the number names: 16, 8, 4, 2, 1; also 3, 6, 12 for
  /// triplets.
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

  /// Beats from one line of the grid to the next; 0 for none.
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
