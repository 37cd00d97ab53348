import MoDSP
import MoTime

extension InstrumentHandle {
  /// The grid that it plays on while a rhythm runs; nil, as at first, to sound at once.
  ///
  /// ```swift
  /// let harp = try MoAudio.play(Harp(seed: nil))
  /// harp.grid = Quantiser(swing: 0.5)
  /// try MoAudio.follow { rhythm.beat }
  /// ```
  ///
  /// Notes and strokes then wait for their line, and last as long as they were played. Movement that an instrument
  /// follows itself waits too: a harp's strings are plucked on the line, a reed and a drone begin there, whatever the
  /// grid's `strength`. With no rhythm running everything sounds at once. What plays by the rhythm anyway (arpeggio,
  /// drum machine, band) has a grid of its own.
  ///
  /// - Thread: any, one at a time.
  /// - Real-time safe: yes.
  public var grid: Quantiser? {
    get { seat.grid.load() }
    set { seat.grid.store(newValue) }
  }
}
