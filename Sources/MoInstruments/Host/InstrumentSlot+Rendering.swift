import MoCore
import MoDSP

/// The methods of a slot that the rendering thread calls.
extension InstrumentSlot {
  /// Whether the instrument has faded out completely.
  final var isGone: Bool { fade.isGone }

  /// Sets `hasFinished`, from which other threads see that the slot can be released.
  final func finish() { hasFinished.store(true, ordering: .releasing) }

  /// Discards the received events, and ends a leaving instrument without a fade; for programs without sound.
  final func pass() {
    inbox.removeAll()
    sequencer.removeAll()
    if isLeaving.load(ordering: .acquiring) { finish() }
  }

  /// Adds the instrument's next frames to a block, each event at its frame.
  ///
  /// The block is split at events, and at each position that is a multiple of 32 frames. Some parameter values are
  /// updated at these positions only. So the sound does not depend on the length of blocks.
  ///
  /// - Real-time safe: yes.
  final func add(to block: inout AudioBlock, beat: BeatClock?) {
    let count = block.frames.count
    guard count > 0 else { return }
    // An event between two frames belongs to the nearer one.
    let half = Int64(0.5e9 / sampleRate)
    let quantiser = wantedGrid.load()
    sequencer.quantiser = quantiser
    gridFollower.begin(block, beat, quantiser, half: half)
    let clock = beat ?? InstrumentSlot.noBeat
    sequencer.followLoop(loop, block, clock)
    receive(Sequencer.Window(block, beat))
    var loopNote = sequencer.nextLoopNote(in: block, clock)
    var line = gridFollower.nextOwn(in: block, beat, swing: swing)
    var frame = 0
    while frame < count {
      let now = block.time(frame)
      let soon = now.advanced(byNanoseconds: half)
      while let note = loopNote, note.frame <= frame {
        deliver(note.event)
        loopNote = sequencer.nextLoopNote(in: block, clock)
      }
      while let event = sequencer.next(heardBy: soon) { handle(event) }
      if fade.stays, isLeaving.load(ordering: .acquiring) { fadeOut() }
      let place = block.position &+ Int64(frame)
      if place % Int64(ControlGlide.period) == 0 {
        report(gridFollower.follow(beat, at: now, hasGrid: quantiser != nil))
      }
      if let due = gridFollower.next, due <= soon, let line = gridFollower.nextLine(at: due, beat, quantiser)
      {
        report(gridFollower.report(true))
        deliver(.line(line))
      }
      while let due = line, due.frame <= frame {
        report(gridFollower.report(true))
        deliver(.line(GridLine(due)))
        line = gridFollower.nextOwn(in: block, beat, swing: swing)
      }
      let toRenewal = ControlGlide.period &- Int(place % Int64(ControlGlide.period))
      var end = min(count, frame &+ toRenewal)
      if let line { end = min(end, max(frame &+ 1, line.frame)) }
      if let loopNote { end = min(end, max(frame &+ 1, loopNote.frame)) }
      // All events of this frame have been handled; only later ones remain.
      let next = sequencer.nextTime ?? .distantFuture
      end = min(end, max(frame &+ 1, firstFrame(of: min(next, gridFollower.next ?? next), half, block)))
      renderStretch(frame..<end, &block)
      frame = end
    }
  }

  /// Returns the frame of the block that is nearest to a time.
  ///
  /// For a time before the block, the result is 0. For a time after the block, the result is the number of frames.
  private final func firstFrame(of time: HostTime, _ half: Int64, _ block: borrowing AudioBlock) -> Int {
    let count = block.frames.count
    guard time > block.time(0) else { return 0 }
    let due = time.advanced(byNanoseconds: 0 &- half)
    if due > block.time(count) { return count }
    let guess = due.seconds(since: block.time(0)) * block.sampleRate
    var frame = max(0, min(Int(guess), count))
    while frame > 0, block.time(frame &- 1) >= due { frame &-= 1 }
    while frame < count, block.time(frame) < due { frame &+= 1 }
    return frame
  }

  private final func renderStretch(_ frames: Range<Int>, _ block: inout AudioBlock) {
    let count = frames.count
    let place = block.position &+ Int64(frames.lowerBound)
    if renderScratch(frames: count, position: place, time: block.time(frames.lowerBound)) {
      mix(frames, &block)
    }
    let isRenewal = (place &+ Int64(count)) % Int64(ControlGlide.period) == 0
    bank.advance(count, isRenewal: isRenewal)
    fade.advance(count)
    level.advance(count, isRenewal: true)
  }

  /// Adds `scratch` to the block, multiplied by the square of the loudness, by the fade and by the level's factor, and
  /// updates the peak.
  private final func mix(_ frames: Range<Int>, _ block: inout AudioBlock) {
    var highest: Float = 0
    let (loudness, fade, mix) = (bank.loudness.pointee, fade, level)
    for index in 0..<frames.count {
      let level = loudness.value(index)
      let gain = level * level * fade.value(index) * mix.value(index)
      let left = InstrumentSlot.finite(scratch[2 &* index] * gain)
      let right = InstrumentSlot.finite(scratch[2 &* index &+ 1] * gain)
      highest = max(highest, max(abs(left), abs(right)))
      let frame = frames.lowerBound &+ index
      if block.outputs > 1 {
        block[frame, 0] += left
        block[frame, 1] += right
      } else if block.outputs == 1 {
        block[frame, 0] += (left + right) / 2
      }
    }
    _ = peak.max(highest.bitPattern, ordering: .relaxed)
    _ = shownPeak.max(highest.bitPattern, ordering: .relaxed)
  }

  /// Returns the sample, or 0 if it is infinite or NaN: one instrument must not silence the others.
  private static func finite(_ sample: Float) -> Float { abs(sample) < .infinity ? sample : 0 }

  /// Gives the sequencer the events that the inbox has received since the last block.
  ///
  /// If the release of a note was lost in a full queue, all notes are released.
  private final func receive(_ window: Sequencer.Window) {
    var isWhole = !inbox.takeLostEnd()
    // At most a full inbox per block, so that the work of a block is bounded.
    var left = inbox.capacity
    while left > 0, let message = inbox.queue.receive() {
      left &-= 1
      let event = message.element.event
      let isTaken =
        message.element.isHeard
        ? sequencer.schedule(event, heard: message.time, window)
        : sequencer.schedule(event, played: message.time, window)
      if !isTaken { isWhole = false }
    }
    if !sequencer.advance(window) { isWhole = false }
    if !isWhole {
      sequencer.removeStarts()
      handle(.event(.allOff))
    }
    let starts = sequencer.takeDropped()
    if starts > 0 { inbox.refuse(starts) }
  }

  /// A beat clock without a rhythm, for a bus that follows no rhythm.
  private static let noBeat = BeatClock(clock: SlewedClock(), timeline: nil)

  private final func report(_ event: InstrumentEvent?) {
    if let event { deliver(event) }
  }

  /// Handles an event that is due: passes it to the instrument, or sets the parameter that the event names.
  final func handle(_ event: SlotEvent) {
    switch event {
    case .event(let event):
      held.follow(event)
      deliver(event)
    case .set(let index, let value): bank.set(Int(index), to: value)
    case .level(let value): level.head(for: value * value, in: SlotFade.frames(SlotFade.leaving, sampleRate))
    }
  }

  private final func fadeOut() {
    sequencer.removeAll()
    sequencer.removeLoop()
    deliver(.allOff)
    fade.leave(in: SlotFade.leaving, sampleRate: sampleRate)
  }
}
