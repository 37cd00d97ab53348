import MoCore
import MoDSP

extension InstrumentSlot {
  /// Adds the instrument's next frames to a block, each event at its frame.
  ///
  /// The block is split at events, and at multiples of 32 frames, when the values that stay constant
  /// between are updated. So the sound does not depend on the length of blocks.
  ///
  /// - Real-time safe: yes.
  func add(to block: inout AudioBlock, beat: BeatClock?) {
    let count = block.frames.count
    guard count > 0 else { return }
    // An event between two frames belongs to the nearer one.
    let half = Int64(0.5e9 / sampleRate)
    sequencer.quantiser = grid.load()
    followGrid(in: block, beat, half)
    let clock = beat ?? InstrumentSlot.noBeat
    followLoop(block, clock)
    receive(Sequencer.Window(block, beat))
    let looper = sequencer.looper
    var loopNote = looper.pointee.next(in: block, clock)
    var line = nextLine(in: block, beat)
    var frame = 0
    while frame < count {
      let now = block.time(frame)
      let soon = now.advanced(byNanoseconds: half)
      while let note = loopNote, note.frame <= frame {
        deliver(note.event)
        loopNote = looper.pointee.next(in: block, clock)
      }
      while let event = sequencer.next(heardBy: soon) { take(event) }
      if presence.goal != 0, isLeaving.load(ordering: .acquiring) { leave() }
      let place = block.position &+ Int64(frame)
      if place % Int64(ControlGlide.period) == 0 { follow(beat, at: now) }
      if let due = nextGridLine, due <= soon { tellGridLine(at: due, beat) }
      while let due = line, due.frame <= frame {
        begin()
        deliver(.line(GridLine(due)))
        line = nextLine(in: block, beat)
      }
      let toRenewal = ControlGlide.period &- Int(place % Int64(ControlGlide.period))
      var end = min(count, frame &+ toRenewal)
      if let line { end = min(end, max(frame &+ 1, line.frame)) }
      if let loopNote { end = min(end, max(frame &+ 1, loopNote.frame)) }
      // All events of this frame have been handled; only later ones remain.
      let next = sequencer.nextTime ?? .distantFuture
      end = min(end, max(frame &+ 1, firstFrame(of: min(next, nextGridLine ?? next), half, block)))
      renderStretch(frame..<end, &block)
      frame = end
    }
  }

  /// Returns the frame at which a time is due, or the block's end.
  private func firstFrame(of time: HostTime, _ half: Int64, _ block: borrowing AudioBlock) -> Int {
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

  private func renderStretch(_ frames: Range<Int>, _ block: inout AudioBlock) {
    let count = frames.count
    let place = block.position &+ Int64(frames.lowerBound)
    if renderScratch(frames: count, position: place, time: block.time(frames.lowerBound)) {
      mix(frames, &block)
    }
    let isRenewal = (place &+ Int64(count)) % Int64(ControlGlide.period) == 0
    for index in 0..<parameterCount { glides[index].advance(count, isRenewal: isRenewal) }
    presence.advance(count, isRenewal: true)
    hasBegun = true
  }

  /// Adds the scratch buffer to the block, scaled by the loudness.
  private func mix(_ frames: Range<Int>, _ block: inout AudioBlock) {
    var highest: Float = 0
    let loudness = loudness.pointee
    for index in 0..<frames.count {
      let level = loudness.value(index)
      let gain = level * level * presence.value(index)
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
  }

  /// An infinite or NaN sample of one instrument must not silence the others.
  private static func finite(_ sample: Float) -> Float { abs(sample) < .infinity ? sample : 0 }

  /// Passes the events received since the last block to the sequencer.
  private func receive(_ window: Sequencer.Window) {
    var isWhole = !hasLostEnd.exchange(false, ordering: .acquiring)
    // At most a full inbox per block, so that the work of a block is bounded.
    var left = inbox.capacity
    while left > 0, let message = inbox.receive() {
      left &-= 1
      let event = message.element.event
      let isTaken =
        message.element.isHeard
        ? sequencer.take(event, heard: message.time, window)
        : sequencer.take(event, played: message.time, window)
      if !isTaken { isWhole = false }
    }
    if !sequencer.advance(window) { isWhole = false }
    if !isWhole {
      sequencer.removeStarts()
      take(.event(.allOff))
    }
    let starts = sequencer.takeDropped()
    if starts > 0 { refused.wrappingAdd(starts, ordering: .relaxed) }
  }

  /// A beat clock without a rhythm, for instruments that play in none.
  private static let noBeat = BeatClock(clock: SlewedClock(), timeline: nil)

  /// Handles an event that is due.
  func take(_ event: SlotEvent) {
    switch event {
    case .event(let event):
      held.follow(event)
      deliver(event)
    case .set(let index, let value):
      if hasBegun {
        glides[Int(index)].head(for: value, in: smoothing[Int(index)])
      } else {
        glides[Int(index)] = ControlGlide(value)
      }
    }
  }

  private func leave() {
    sequencer.removeAll()
    sequencer.looper.pointee = Looper()
    deliver(.allOff)
    presence.head(for: 0, in: max(1, Int(InstrumentSlot.leaving * sampleRate)))
  }
}
