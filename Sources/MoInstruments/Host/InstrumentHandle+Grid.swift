import MoCore
import MoDSP

extension InstrumentHandle {
  /// The grid that it plays on while a rhythm runs; nil, as at first, to sound at once.
  ///
  /// ```swift
  /// let harp = try MoAudio.play(Harp(seed: nil))
  /// harp.grid = Quantiser(swing: 0.5)
  /// try MoAudio.follow { rhythm.beat }
  /// ```
  ///
  /// A note or stroke then belongs to the line nearest to the moment when it was played. If that line is still to come at
  /// the ear, it waits for it; else it sounds at once. Notes last as long as they were played. Movement that an instrument
  /// follows itself goes by the same rule: a harp's strings are plucked on the line, a reed and a drone begin there,
  /// whatever the grid's `strength`. With no rhythm running everything sounds at once. What plays by the rhythm anyway
  /// (arpeggio, drum machine, band) has a grid of its own.
  ///
  /// - Thread: any.
  /// - Real-time safe: reading it, yes; setting it takes a lock.
  public var grid: Quantiser? {
    get { seat.grid.load() }
    set { seat.gridLock.withLock { _ in seat.grid.store(newValue) } }
  }
}
