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
    get { slot.grid }
    set { slot.grid = newValue }
  }
}

extension InstrumentHandle {
  /// The state of an instrument's loop.
  public enum LoopState: UInt8, Sendable, BitwiseCopyable {
    /// The instrument has no loop, or its last repetition ends.
    case idle
    /// The loop waits for the rhythm's next bar, at which the recording begins.
    case waiting
    /// The loop records the notes that are played.
    case recording
    /// The loop repeats a melody, or waits for the next bar to begin it.
    case playing
  }

  /// Starts to record at the rhythm's next bar; after the given number of beats, the recorded notes repeat.
  ///
  /// <!-- with: let friend = "192.168.0.7:6449" -->
  ///
  /// ```swift
  /// let tone = try MoAudio.play(Tone(seed: nil))
  /// try MoAudio.follow { rhythm.beat }
  /// tone.record(beats: 8, quantised: Quantiser())
  /// …
  /// if let melody = tone.loop { try MoNet.send(.message(melody.message), to: friend) }
  /// ```
  ///
  /// The loop records all notes, from any source, but no strikes and no movement that changes the sound. The loop
  /// stores up to 64 notes, each at the beat at which the note was played, or at the grid line to which `grid` moves
  /// the note. If the instrument already has a loop, the earlier loop stops at the end of its current repetition.
  /// Without a rhythm, the recording waits until a rhythm runs.
  ///
  /// - Parameters:
  ///   - beats: the length of the loop in beats, clamped to 0.25 … 256; NaN counts as 4.
  ///   - quantiser: moves the recorded notes to the nearest lines of its grid (default: they stay as played).
  public func record(beats: Float = 8, quantised quantiser: Quantiser? = nil) {
    let beats = Melody(beats: beats).beats
    slot.loop.order(LoopOrder(kind: .record, beats: beats, quantiser: quantiser))
  }

  /// The melody that repeats while a rhythm runs; nil if there is none, or if its recording is not complete.
  ///
  /// If you set a melody while another melody plays, the new melody begins at the end of the other melody's current
  /// repetition. A melody that waits for its first bar counts as playing. If no melody plays, the new melody begins at
  /// the next bar. If you set nil, the loop ends after the current repetition. To get a recorded loop, read this
  /// property.
  public var loop: Melody? {
    get { slot.loop.melody }
    set { slot.loop.order(newValue.map { LoopOrder(kind: .play, melody: $0) } ?? LoopOrder()) }
  }

  /// The current state of the loop.
  ///
  /// - Real-time safe: yes.
  public var loopState: LoopState { slot.loop.state }
}
