import MoCore
import MoDSP

/// What is to be done with an instrument's loop.
struct LoopOrder: Sendable, BitwiseCopyable {
  enum Kind: Sendable, BitwiseCopyable {
    case end
    case play
    case record
  }

  var kind = Kind.end
  /// Beats to be recorded.
  var beats: Float = 0
  var melody = Melody(beats: 4)
  var quantiser: Quantiser?
}

/// Records an instrument's notes for some bars, and plays them again and again on the beat.
///
/// Notes are recorded at the beat at which they were played. The last of them arrive when the loop plays already, since
/// each arrives by the play-through delay later: then the round that plays is completed.
///
/// - Thread: the audio thread.
/// - Real-time safe: yes.
struct Looper: Sendable {
  private(set) var state = InstrumentHandle.LoopState.idle
  private var loop = MelodyLoop()
  private var recorder: MelodyRecorder?
  private var start = 0.0
  /// The segment in which the recording begins.
  private var opening: BeatSegment?
  private var order = LoopOrder()
  private var take: UInt32 = 0
  private var hasHeard = false

  /// Whether there is anything to be done; kept, since a look at the loop would copy its melodies.
  private(set) var isBusy = false
  /// How often what was recorded has changed since it was played first.
  private(set) var revision = 0
  /// What is played, or will be from the next round on.
  var melody: Melody? { loop.melody }
  /// Whether notes are written down.
  var isRecording: Bool { recorder != nil }

  /// Does what was asked for; a recording begins with the bar that comes.
  mutating func obey(_ order: LoopOrder) {
    (self.order, recorder) = (order, nil)
    switch order.kind {
    case .end: (loop.melody, state) = (nil, .idle)
    case .play: (loop.melody, state) = (order.melody, .playing)
    case .record: (loop.melody, state) = (nil, .waiting)
    }
    isBusy = state != .idle || loop.isBusy
  }

  /// Looks at the beat, once a block: a recording may begin in it, or be complete.
  mutating func follow(_ block: borrowing AudioBlock, _ clock: BeatClock) {
    guard state == .waiting || recorder != nil, let timeline = clock.course else { return }
    let now = clock.sessionTime(at: block.time(0))
    let end = clock.sessionTime(at: block.time(block.frames.count))
    // Bars are counted anew: what was written down has lost its place.
    if recorder != nil, timeline.take != take {
      recorder = nil
      if state != .playing { state = .waiting }
    }
    if recorder == nil, state == .waiting, timeline.isPlaying(at: end),
      let line = timeline.time(of: .bar, from: now.advanced(bySeconds: -1e-6))
    {
      let segment = timeline.segment(at: line)
      start = segment.line(.bar, from: segment.beat(at: line) - 1e-6)
      (take, opening) = (timeline.take, segment)
      // It listens from here on, since a note may be a little early.
      (recorder, hasHeard) = (MelodyRecorder(beats: order.beats, from: start), false)
    }
    if recorder != nil, state == .waiting, timeline.beat(at: end) > start { state = .recording }
    complete(heard: timeline.beat(at: end), played: played(at: block, clock, timeline))
  }

  private func played(at block: borrowing AudioBlock, _ clock: BeatClock, _ timeline: Timeline) -> Double {
    timeline.beat(at: clock.sessionTime(at: block.playedTime(block.frames.count)))
  }

  /// Plays what was recorded once its end is heard, and completes it with what was played before that.
  private mutating func complete(heard: Double, played: Double) {
    guard let recorder else { return }
    let end = start + Double(order.beats)
    if state == .recording, heard > end {
      loop.melody = recorder.melody(quantised: order.quantiser)
      (state, hasHeard) = (.playing, false)
    }
    guard state == .playing else { return }
    if hasHeard {
      loop.amend(recorder.melody(quantised: order.quantiser))
      revision &+= 1
      hasHeard = false
    }
    if played > end { self.recorder = nil }
  }

  /// The beat at which something was played; before a start, counted back from it.
  func beat(ofPlayed time: SessionTime, on timeline: Timeline) -> Double {
    if let opening, time < opening.start { return opening.beat(at: time) }
    return timeline.beat(at: time)
  }

  /// Writes down a note that begins or ends.
  ///
  /// - Parameters:
  ///   - beat: where in the music it belongs: when it was played, or the line of its grid.
  ///   - played: when it was played.
  mutating func hear(_ event: InstrumentEvent, beat: Double, played: Double) {
    guard recorder != nil else { return }
    let end = start + Double(order.beats)
    switch event {
    case .noteOn(let note):
      guard played < end - 1e-6 else { return }
      recorder?.noteOn(note.pitch, velocity: note.velocity, id: note.id, beat: beat)
    case .noteOff(let note): recorder?.noteOff(note.pitch, id: note.id, beat: min(beat, end))
    default: return
    }
    hasHeard = true
  }

  /// The next note of the loop in this block.
  mutating func next(
    in block: borrowing AudioBlock, _ clock: BeatClock
  ) -> (frame: Int, event: InstrumentEvent)? {
    guard isBusy else { return nil }
    let next = loop.next(in: block, of: clock)
    if next == nil { isBusy = state != .idle || loop.isBusy }
    return next
  }
}
