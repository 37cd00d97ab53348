import MoCore

extension InstrumentHandle {
  /// What an instrument's loop does.
  public enum LoopState: UInt8, Sendable, BitwiseCopyable {
    /// Nothing.
    case idle
    /// Waits for the rhythm's next bar to record.
    case waiting
    /// Writes down the notes that are played.
    case recording
    /// Plays a melody again and again.
    case playing
  }

  /// Records what is played for so many beats from the rhythm's next bar on, and then plays it again and again.
  ///
  /// ```swift
  /// let tone = try MoAudio.play(Tone(seed: nil))
  /// try MoAudio.follow { rhythm.beat }
  /// tone.record(beats: 8, quantised: Quantiser())
  /// …
  /// if let melody = tone.loop { try MoNet.send(melody.message, to: friend) }
  /// ```
  ///
  /// Notes count, from wherever they come; strokes and what a movement does to the sound do not. Up to 64 are kept, each at
  /// the beat at which it was played, or on its line of the `grid`. What was looped before ends with its round. Without a
  /// rhythm it waits for one.
  ///
  /// - Parameters:
  ///   - beats: 0.25 … 256; no number counts as 4.
  ///   - quantiser: the notes are moved to its nearest lines afterwards; left out, they stay as they were played.
  public func record(beats: Float = 8, quantised quantiser: Quantiser? = nil) {
    let beats = Melody(beats: beats).beats
    seat.order(LoopOrder(kind: .record, beats: beats, quantiser: quantiser))
  }

  /// What is played again and again while a rhythm runs; nil for nothing.
  ///
  /// Setting it takes effect with the next round, or the next bar; what was recorded can be read from it.
  public var loop: Melody? {
    get { seat.loopMelody }
    set { seat.order(newValue.map { LoopOrder(kind: .play, melody: $0) } ?? LoopOrder()) }
  }

  /// What its loop does now.
  ///
  /// - Real-time safe: yes.
  public var loopState: LoopState {
    LoopState(rawValue: seat.loopState.load(ordering: .relaxed)) ?? .idle
  }
}
