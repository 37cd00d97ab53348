import MoDSP
import MoTime

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
/// - Thread: the audio thread.
/// - Real-time safe: yes.
struct Looper: Sendable {
  private(set) var state = InstrumentHandle.LoopState.idle
  private var loop = MelodyLoop()
  private var recorder: MelodyRecorder?
  private var start = 0.0
  private var order = LoopOrder()
  private var take: UInt32 = 0

  /// Whether there is anything to be done; kept, since a look at the loop would copy its melodies.
  private(set) var isBusy = false
  /// What is played, or will be from the next round on.
  var melody: Melody? { loop.melody }

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
    guard state == .waiting || state == .recording, let timeline = clock.course else { return }
    let now = clock.sessionTime(at: block.time(0))
    let end = clock.sessionTime(at: block.time(block.frames.count))
    // Bars are counted anew: what was written down has lost its place.
    if recorder != nil, timeline.take != take { (state, recorder) = (.waiting, nil) }
    if recorder == nil, timeline.isPlaying(at: end),
      let line = timeline.time(of: .bar, from: now.advanced(bySeconds: -1e-6))
    {
      let segment = timeline.segment(at: line)
      start = segment.line(.bar, from: segment.beat(at: line) - 1e-6)
      take = timeline.take
      // It listens from here on, since a note may be a little early.
      recorder = MelodyRecorder(beats: order.beats, from: start)
    }
    if recorder != nil, timeline.beat(at: end) > start { state = .recording }
    if state == .recording, timeline.beat(at: end) > start + Double(order.beats), let recorder {
      loop.melody = recorder.melody(quantised: order.quantiser)
      (state, self.recorder) = (.playing, nil)
    }
  }

  /// Writes down a note that begins or ends.
  mutating func hear(_ event: InstrumentEvent, at time: HostTime, _ clock: BeatClock) {
    guard recorder != nil, let beat = clock.beat(at: time) else { return }
    switch event {
    case .noteOn(let note): recorder?.noteOn(note.pitch, velocity: note.velocity, beat: beat)
    case .noteOff(let note): recorder?.noteOff(note.pitch, beat: beat)
    default: break
    }
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
