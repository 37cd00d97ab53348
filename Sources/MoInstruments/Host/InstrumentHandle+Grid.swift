import MoCore
import MoDSP

extension InstrumentHandle {
  /// The grid on which it plays while a rhythm runs; nil (the default) to sound immediately.
  ///
  /// ```swift
  /// let harp = try MoAudio.play(Harp())
  /// harp.grid = Quantiser(swing: 0.5)
  /// try MoAudio.follow { rhythm.beat }
  /// ```
  ///
  /// A note or stroke is moved to the grid line nearest to the time at which it was played. If that line is
  /// still to be heard, it waits for the line; otherwise it sounds immediately. The length of a note stays
  /// the same.
  ///
  /// Movement that an instrument follows itself obeys the same rule, whatever the grid's `strength`. A
  /// harp's strings are plucked on the line; a reed and a drone begin there. Without a rhythm everything
  /// sounds immediately. Instruments that follow the rhythm anyway (arpeggio, drum machine, band) have
  /// their own grid.
  ///
  /// - Thread: any.
  /// - Real-time safe: reading it, yes; setting it takes a lock.
  public var grid: Quantiser? {
    get { seat.grid }
    set { seat.grid = newValue }
  }
}
