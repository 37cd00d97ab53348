import MoCore
import MoDSP

/// Plays a melody again and again on the beat, each note at its exact frame.
///
/// ```swift
/// while let (frame, event) = loop.next(in: block, of: beat) { … }
/// ```
///
/// It begins with the bar that comes, and every round begins where the one before ended, however long the bars are. A
/// melody that is exchanged is heard from the next round on.
///
/// - Thread: the audio thread, or whoever owns it.
/// - Real-time safe: yes.
public struct MelodyLoop: Sendable {
  /// What is played from the next round on; nil ends it there.
  public var melody: Melody?

  /// Whether a round is under way.
  public private(set) var isPlaying = false

  private var frames = FrameMap()
  /// What this round plays; no optional, since a look into one would copy the melody.
  private var round = Melody(beats: 4)
  private var take: UInt32 = 0
  private var origin: Double?
  private var nextNote = 0
  /// Whether the round's notes are others than before: those whose beats have passed are left out.
  private var isAmended = false
  private var ends: InlineArray<64, End?> = .init(repeating: nil)
  private var serial: Int32 = 0

  /// A note that slipped by no more than this (s) is still played.
  private static let grace = 0.02

  private struct End: Sendable {
    var beat: Double
    var note: Note
  }

  /// A loop of a melody.
  public init(_ melody: Melody? = nil) { self.melody = melody }

  /// Exchanges the melody at once: in this round the notes that are still to come are the new ones.
  mutating func amend(_ melody: Melody) {
    self.melody = melody
    guard isPlaying else { return }
    (round, nextNote, isAmended) = (melody, 0, true)
  }

  /// Whether there is or will be something to play, or a note to end.
  var isBusy: Bool { isPlaying || melody != nil || firstEnd() != nil }

  /// The next note that begins or ends in this block, and its frame; nil when there is none any more.
  ///
  /// Ends come before beginnings of the same beat.
  @inline(never)
  public mutating func next(
    in block: borrowing AudioBlock, of clock: BeatClock
  ) -> (frame: Int, event: InstrumentEvent)? {
    frames.follow(block)
    guard let timeline = clock.course else { return finish(at: 0) }
    let view = View(timeline: timeline, clock: clock, now: clock.sessionTime(at: block.time(0)))
    // What stands still, or began anew, lets go of all that sounds.
    if timeline.take != take || view.isStanding {
      if let end = finish(at: 0) { return end }
      if timeline.take != take { (take, origin, isPlaying, nextNote) = (timeline.take, nil, false, 0) }
    }
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
      // One whose end could not be remembered would sound for ever.
      guard frame >= 0, let room = freeEnd else { continue }
      serial = (serial + 1) % 100_000
      let note = Note(event.pitch, velocity: event.velocity, id: 1_000_000 + serial)
      ends[room] = End(beat: start + Double(event.length), note: note)
      return (frame, .noteOn(note))
    }
  }

  private mutating func leaveOutPassed(_ beat: Double) {
    isAmended = false
    guard let origin else { return }
    while nextNote < round.count, origin + Double(round[nextNote].beat) < beat - 1e-9 { nextNote += 1 }
  }

  /// The beat as this block sees it.
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

  /// The beat of the next note, or of the round's end after the last.
  private var nextBeginning: Double? {
    guard let origin, isPlaying else { return nil }
    return origin + Double(nextNote < round.count ? round[nextNote].beat : round.beats)
  }

  /// The frame of a beat in this block; below 0 where it was missed, nil where it is to come.
  private func frame(of beat: Double, _ view: View, _ block: borrowing AudioBlock) -> Int? {
    guard let time = view.timeline.moment(ofBeat: beat, from: view.now.advanced(bySeconds: -Self.grace))
    else {
      // What stands still waits; what has passed was missed.
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
