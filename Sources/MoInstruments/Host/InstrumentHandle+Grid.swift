import MoCore
import MoDSP

extension InstrumentHandle {
  /// The grid on which the instrument plays while a rhythm runs; with nil, the default, notes sound immediately.
  ///
  /// ```swift
  /// let harp = try MoAudio.play(Harp())
  /// harp.grid = Quantiser(swing: 0.5)
  /// try MoAudio.follow { rhythm.beat }
  /// ```
  ///
  /// A note or strike is moved to the grid line nearest to the time at which the player played. If that line is still
  /// to come, the note or strike waits for the line; otherwise the note or strike sounds immediately. The length of a
  /// note stays the same.
  ///
  /// The rule also holds for instruments that respond to movement themselves; a `strength` of the grid above 0 then
  /// counts as 1. A harp's strings are plucked on the line; a reed and a drone begin on the line. Without a rhythm,
  /// everything sounds immediately. Instruments that always follow the rhythm (arpeggio, drum machine, band) have their
  /// own grid, and ignore this property.
  ///
  /// - Thread: any.
  /// - Real-time safe: reading the grid, yes; setting the grid takes a lock.
  public var grid: Quantiser? {
    get { seat.grid }
    set { seat.grid = newValue }
  }
}
