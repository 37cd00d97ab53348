import MoCore
import MoDSP

/// A command to an instrument's loop.
struct LoopOrder: Sendable, BitwiseCopyable {
  enum Kind: Sendable, BitwiseCopyable {
    case end
    case play
    case record
  }

  var kind = Kind.end
  /// The length of the loop to record, in beats; has a meaning only if `kind` is `record`.
  var beats: Float = 0
  var melody = Melody(beats: 4)
  var quantiser: Quantiser?
}

/// The recorder and player of an instrument's loop: it records notes for some beats, then repeats them in time.
///
/// A note is recorded at the beat at which it was played, but reaches the looper later, by the play-through delay (the
/// time from a strike to its sound). So the last notes arrive when the loop is already playing; the looper then adds
/// them to the current repetition.
///
/// A grid can move the last notes to the end of the recording, which is the beginning of the next repetition. Such a
/// note is added when it is released, so that it keeps its length.
///
/// - Thread: the audio thread.
/// - Real-time safe: yes.
struct Looper: Sendable {
  private(set) var state = InstrumentHandle.LoopState.idle
  private var loop = MelodyLoop()
  private var recorder: MelodyRecorder?
  private var start = 0.0
  /// The tempo segment in which the recording begins.
  private var opening: BeatSegment?
  private var order = LoopOrder()
  private var take: UInt32 = 0
  private var hasHeard = false

  /// Whether the loop has work to do in each block; stored, because reading the loop would copy its melodies.
  private(set) var isBusy = false
  /// The number of times that late notes have changed a melody that was already playing.
  private(set) var revision = 0
  /// The melody that plays now, or from the next repetition on; nil for none.
  var melody: Melody? { loop.melody }
  /// Whether notes are being recorded.
  var isRecording: Bool { recorder != nil }

  /// Carries out an order; a recording begins with the next bar.
  mutating func execute(_ order: LoopOrder) {
    (self.order, recorder) = (order, nil)
    switch order.kind {
    case .end: (loop.melody, state) = (nil, .idle)
    case .play: (loop.melody, state) = (order.melody, .playing)
    case .record: (loop.melody, state) = (nil, .waiting)
    }
    isBusy = state != .idle || loop.isBusy
  }

  /// Updates the recording, once per block: the recording may begin at a bar line, or end after the number of beats in
  /// the order.
  mutating func follow(_ block: borrowing AudioBlock, _ clock: BeatClock) {
    guard state == .waiting || recorder != nil, let timeline = clock.course else { return }
    let now = clock.sessionTime(at: block.time(0))
    let end = clock.sessionTime(at: block.time(block.frames.count))
    // Bars are counted from 1 again, so the position of the recording is lost.
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
      // Records from here on, because a note may be a little early.
      (recorder, hasHeard) = (MelodyRecorder(beats: order.beats, from: start), false)
    }
    if recorder != nil, state == .waiting, timeline.beat(at: end) > start { state = .recording }
    complete(heard: timeline.beat(at: end), played: played(at: block, clock, timeline))
  }

  private func played(at block: borrowing AudioBlock, _ clock: BeatClock, _ timeline: Timeline) -> Double {
    timeline.beat(at: clock.sessionTime(at: block.playedTime(block.frames.count)))
  }

  /// Begins to play the recording when its end has been heard; then adds notes that were played before this end but
  /// arrive later.
  private mutating func complete(heard: Double, played: Double) {
    guard let recorder else { return }
    let end = end
    if state == .recording, heard > end {
      loop.melody = recorder.melody(quantised: order.quantiser, heldBefore: end)
      (state, hasHeard) = (.playing, false)
    }
    guard state == .playing else { return }
    // A note that is held through a whole repetition lasts as long as the loop.
    let isOver = played > end + Double(order.beats)
    if hasHeard || isOver {
      loop.amend(recorder.melody(quantised: order.quantiser, heldBefore: isOver ? .infinity : end))
      revision &+= 1
      hasHeard = false
    }
    if isOver || played > end && !recorder.isHolding(from: end) { self.recorder = nil }
  }

  /// The beat at which the recording ends.
  private var end: Double { start + Double(order.beats) }

  /// Returns the beat at which an event was played.
  ///
  /// For a time before the tempo segment in which the recording begins, the beat is counted back at the tempo of that
  /// segment's start.
  func beat(ofPlayed time: SessionTime, on timeline: Timeline) -> Double {
    if let opening, time < opening.start { return opening.beat(at: time) }
    return timeline.beat(at: time)
  }

  /// Adds the beginning or the end of a note to the recording.
  ///
  /// - Parameters:
  ///   - beat: the beat to record: the beat at which the event was played, or the beat of its grid line.
  ///   - played: the beat at which the event was played.
  mutating func record(_ event: InstrumentEvent, beat: Double, played: Double) {
    guard recorder != nil else { return }
    let end = end
    switch event {
    case .noteOn(let note):
      guard played < end - 1e-6 else { return }
      // The beat of the last grid line is computed, and can be a little too early for the next repetition.
      let beat = abs(beat - end) < 1e-6 ? end : beat
      recorder?.noteOn(note.pitch, velocity: note.velocity, id: note.id, beat: beat)
    case .noteOff(let note):
      let isNext = recorder?.isHolding(note.id, from: end) ?? false
      recorder?.noteOff(note.pitch, id: note.id, beat: min(beat, isNext ? end + Double(order.beats) : end))
    default: return
    }
    hasHeard = true
  }

  /// Returns the next beginning or end of a note of the loop in this block, with its frame; nil if none is left.
  mutating func next(
    in block: borrowing AudioBlock, _ clock: BeatClock
  ) -> (frame: Int, event: InstrumentEvent)? {
    guard isBusy else { return nil }
    let next = loop.next(in: block, of: clock)
    if next == nil { isBusy = state != .idle || loop.isBusy }
    return next
  }
}
