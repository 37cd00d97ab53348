import MoCore
import MoDSP

/// A loop that plays a melody again and again in time with the beat, each note at its exact frame.
///
/// <!-- with: var loop = MelodyLoop() -->
///
/// ```swift
/// while let (frame, event) = loop.next(in: block, of: beat) { … }
/// ```
///
/// Each repetition of the melody is a round. The first round begins with the next bar. Every other round begins at the
/// end of the round before, even if no bar begins at that moment. A new melody is heard from the next round on.
///
/// If the shared clock jumps, the loop ends its sounding notes, and continues with the notes at the new beat. The round
/// moves by whole rounds.
///
/// - Thread: the audio thread, or another single owner.
/// - Real-time safe: yes.
public struct MelodyLoop: Sendable {
  /// The melody that plays from the next round on; nil ends the loop with the current round.
  public var melody: Melody?

  /// Whether a round is in progress, or waits for its first bar.
  public private(set) var isPlaying = false

  private var frames = FrameMap()
  /// The melody of this round; not optional, because reading an optional would copy the melody.
  private var round = Melody(beats: 4)
  private var take: UInt32 = 0
  /// The session time of the last block.
  private var last = SessionTime(nanoseconds: .min / 2)
  private var origin: Double?
  private var nextNote = 0
  /// Whether `amend` has replaced the notes of this round: notes whose beats have passed are then left out.
  private var isAmended = false
  private var ends: InlineArray<64, End?> = .init(repeating: nil)
  private var serial: Int32 = 0

  /// The tolerance in seconds within which a late note is still played.
  private static let tolerance = 0.02
  /// The session time from block to block, in seconds, above which the shared clock has jumped.
  ///
  /// A correction of the clock is smaller, and a block is shorter.
  private static let leap = 1.0

  private struct End: Sendable {
    var beat: Double
    var note: Note
  }

  /// Creates a loop of a melody; with nil, the loop plays nothing until `melody` is set.
  public init(_ melody: Melody? = nil) { self.melody = melody }

  /// Replaces the melody immediately: the remaining notes of this round are those of the new melody.
  mutating func amend(_ melody: Melody) {
    self.melody = melody
    guard isPlaying else { return }
    (round, nextNote, isAmended) = (melody, 0, true)
  }

  /// Whether the loop has a melody to play or a note to end.
  var isBusy: Bool { isPlaying || melody != nil || firstEnd() != nil }

  /// Returns the next beginning or end of a note in this block, with its frame; nil if none is left.
  ///
  /// At the same beat, the ends of notes come before the beginnings.
  @inline(never)
  public mutating func next(
    in block: borrowing AudioBlock, of clock: BeatClock
  ) -> (frame: Int, event: InstrumentEvent)? {
    frames.follow(block)
    guard let timeline = clock.course else { return finish(at: 0) }
    let view = View(timeline: timeline, clock: clock, now: clock.sessionTime(at: block.time(0)))
    let hasJumped = abs(view.now.seconds(since: last)) > Self.leap
    // A stopped or restarted rhythm ends all sounding notes, and so does a jump of the shared clock.
    if timeline.take != take || view.isStanding || hasJumped {
      if let end = finish(at: 0) { return end }
      if timeline.take != take {
        (take, origin, isPlaying, nextNote) = (timeline.take, nil, false, 0)
      } else if hasJumped {
        followJump(on: timeline, to: view.now)
      }
    }
    last = view.now
    if origin == nil, melody != nil { origin = view.nextBar }
    if isAmended { leaveOutPassed(timeline.beat(at: view.now)) }
    while true {
      if !isPlaying, origin != nil, let melody { (round, isPlaying) = (melody, true) }
      let start = nextBeginning
      if let end = firstEnd(), start.map({ end.beat <= $0 + 1e-9 }) ?? true {
        guard let frame = frame(of: end.beat, view, block) else { return nil }
        return finish(at: max(0, frame))
      }
      guard let start, let frame = frame(of: start, view, block) else { return nil }
      guard nextNote < round.count else {
        origin = melody == nil ? nil : start
        (isPlaying, nextNote) = (false, 0)
        continue
      }
      let event = round[nextNote]
      nextNote += 1
      // A note whose end cannot be stored would sound forever.
      guard frame >= 0, let room = freeEnd else { continue }
      serial = (serial + 1) % 100_000
      let note = Note(event.pitch, velocity: event.velocity, id: 1_000_000 + serial)
      ends[room] = End(beat: start + Double(event.length), note: note)
      return (frame, .noteOn(note))
    }
  }

  /// Moves the round by whole rounds to the present beat, in constant time; a round that has not begun waits again.
  private mutating func followJump(on timeline: Timeline, to now: SessionTime) {
    guard let start = origin, let melody, start <= timeline.beat(at: last) else {
      (origin, isPlaying, nextNote) = (nil, false, 0)
      return
    }
    let beats = Double(melody.beats)
    origin = start + ((timeline.beat(at: now) - start) / beats).rounded(.down) * beats
    amend(melody)
  }

  private mutating func leaveOutPassed(_ beat: Double) {
    isAmended = false
    guard let origin else { return }
    while nextNote < round.count, origin + Double(round[nextNote].beat) < beat - 1e-9 { nextNote += 1 }
  }

  /// The beat clock and its timeline, read once per block.
  private struct View {
    var timeline: Timeline
    var clock: BeatClock
    var now: SessionTime

    var isStanding: Bool { !timeline.isPlaying(at: now) && !timeline.last.isPlaying }

    var nextBar: Double? {
      guard let line = timeline.time(of: .bar, from: now) else { return nil }
      let segment = timeline.segment(at: line)
      return segment.line(.bar, from: segment.beat(at: line) - 1e-6)
    }
  }

  /// The beat of the next note, or of the round's end after the last note; nil if no round is in progress.
  private var nextBeginning: Double? {
    guard let origin, isPlaying else { return nil }
    return origin + Double(nextNote < round.count ? round[nextNote].beat : round.beats)
  }

  /// Returns the frame of a beat in this block; below 0 if the beat was missed, nil if the beat is after the block.
  private func frame(of beat: Double, _ view: View, _ block: borrowing AudioBlock) -> Int? {
    guard let time = view.timeline.moment(ofBeat: beat, from: view.now.advanced(bySeconds: -Self.tolerance))
    else {
      // If the beat is stopped, the note waits; if its beat has passed, it was missed.
      return beat < view.timeline.beat(at: view.now) - 1e-6 ? -1 : nil
    }
    let frame = frames.frame(at: view.clock.hostTime(at: time), in: block)
    return frame < block.frames.count ? max(0, frame) : nil
  }

  private var freeEnd: Int? {
    for index in ends.indices where ends[index] == nil { return index }
    return nil
  }

  private func firstEnd() -> (index: Int, beat: Double)? {
    var first: (index: Int, beat: Double)?
    for index in ends.indices {
      if let end = ends[index], end.beat < first?.beat ?? .infinity { first = (index, end.beat) }
    }
    return first
  }

  private mutating func finish(at frame: Int) -> (frame: Int, event: InstrumentEvent)? {
    guard let first = firstEnd(), let end = ends[first.index] else { return nil }
    ends[first.index] = nil
    return (frame, .noteOff(end.note))
  }
}
