import MoCore
import MoDSPCore

/// Input from a card with its own clock, resampled so that each block of playback gets a block of input.
///
/// One `CardClock` gives the time at which an input frame was at the microphone. Another `CardClock` gives the time at
/// which an output frame will be heard. The delay from the microphone to the ear is kept constant: each block is read
/// at the position in the input that this delay demands. The step is the distance between the input positions of two
/// successive output frames. The ratio of the clocks and the error of the delay set the step, which changes evenly
/// within a block.
///
/// - Source: F. Adriaensen, *Controlling adaptive resampling* (2012), for the loop.
/// - Thread: the audio thread.
/// - Real-time safe: allocates nothing after `init`; the work per block is bounded.
package final class AdaptiveInput {
  private let blockFrames: Int
  private let channels: Int
  private let sampleRate: Double
  private let resampler: Resampler
  /// The stored input, with `capacity` frames for each channel, one channel after another.
  private let lines: UnsafeMutablePointer<Float>
  private let capacity: Int
  /// The newest input frames, interleaved, before `append` copies them into `lines`.
  private let staging: UnsafeMutablePointer<Float>
  /// The index of the first stored frame, counted from the start of the input.
  private var first: Int64 = 0
  /// The number of stored frames.
  private var count = 0

  private var captureClock: CardClock
  private var playbackClock: CardClock
  private var captureWatch = ClockStepWatch()
  private var playbackWatch = ClockStepWatch()
  /// Whether the clock `captureClock` has received a position of the card since its last restart.
  private var knowsCapture = false
  /// Whether the clock `playbackClock` has received a position of playback since its last restart.
  private var knowsPlayback = false
  /// The number of successive positions of the input's card that were ignored because they may be old.
  private var passedOver = 0

  /// The integer part of the position at which the next block is read, in frames since the start of the input.
  private var whole: Int64 = 0
  /// The fraction of the position at which the next block is read, in frames, from 0 to below 1.
  private var part = 0.0
  /// The step at the end of the last block, in input frames per output frame.
  private var step = 1.0
  private var isLocked = false
  private var hasLocked = false
  /// The largest number of playback frames that were queued when the thread woke, since the last restart of playback.
  ///
  /// The block that the thread then computes is heard after the queued frames. A number that the card's clock does not
  /// confirm is ignored.
  private var lead = 0
  /// The number of input frames to store in addition to the frames of a block, because the card reports recorded frames
  /// late.
  private var reserve: Int
  private let longestReserve: Int
  package private(set) var report = InputClockReport()

  /// The greatest deviation of `step` from 1.
  private static let furthest = 0.005
  /// The time in which an error of the delay from the microphone to the ear is corrected, in seconds.
  private static let settling = 1.0
  /// The number of successive, possibly old positions of the input's card of which the last is used; the others are
  /// ignored.
  private static let mostOldPositions = 64

  /// - Parameters:
  ///   - periodFrames: the number of frames after which the input's card wakes the thread again.
  ///   - bufferFrames: the largest number of frames that the input's card can store.
  package init(format: AudioFormat, periodFrames: Int, bufferFrames: Int) {
    blockFrames = format.blockFrames
    channels = format.inputs
    sampleRate = format.sampleRate
    resampler = Resampler(atAnyPlaceOf: format.sampleRate)
    captureClock = CardClock(nominalRate: format.sampleRate)
    playbackClock = CardClock(nominalRate: format.sampleRate)
    // A card that reports by periods holds back up to one; a millisecond is for its interrupt.
    reserve = periodFrames + Int(format.sampleRate / 1000)
    longestReserve = max(4 * max(periodFrames, format.blockFrames), 4096)
    // At most half of it is moved when it is full.
    capacity = 2 * (longestReserve + bufferFrames + 3 * format.blockFrames + 4 * resampler.reach)
    lines = .allocate(capacity: capacity * max(1, channels))
    lines.initialize(repeating: 0, count: capacity * max(1, channels))
    staging = .allocate(capacity: format.blockFrames * max(1, channels))
    staging.initialize(repeating: 0, count: format.blockFrames * max(1, channels))
  }

  deinit {
    lines.deallocate()
    staging.deallocate()
  }

  /// Restarts after an interruption of the input or, with `bothClocks`, also of playback; the stored input is dropped.
  ///
  /// The clocks keep their measured rates.
  package func restart(bothClocks: Bool) {
    captureClock.restart()
    captureWatch = ClockStepWatch()
    knowsCapture = false
    if bothClocks {
      playbackClock.restart()
      playbackWatch = ClockStepWatch()
      knowsPlayback = false
      lead = 0
    }
    first += Int64(count)
    count = 0
    unlock()
  }

  // MARK: The clocks

  /// Corrects the ear's clock: frame `frame` of the output was heard at `time`, when `written` frames had been written.
  package func observeOutput(frame: Int64, at time: HostTime, written: Int64) {
    if playbackWatch.hasStepped(playbackClock, frame: frame, at: time) {
      playbackClock.restart(nominalRate: sampleRate)
      if playbackWatch.isSettled { report.resyncs += 1 }
      playbackWatch = ClockStepWatch()
    }
    playbackClock.observe(frame: frame, at: time, written: written)
    knowsPlayback = true
    // A delay that the card reports once, and its clock does not confirm, must not add latency for good.
    let queued = Int(written - frame)
    let confirmed = playbackClock.time(ofFrame: written).seconds(since: time) + 0.01
    if queued > lead, Double(queued) < confirmed * sampleRate { lead = queued }
  }

  /// Corrects the microphone's clock: at `time`, the card had recorded `pending` frames after the last appended frame.
  ///
  /// - Parameter isPrompt: whether the thread waited for the card. If false, the card's position may be old, and is
  ///   mostly ignored.
  package func observeInput(pending: Int, at time: HostTime, isPrompt: Bool = true) {
    passedOver = isPrompt ? 0 : passedOver + 1
    guard isPrompt || !knowsCapture || passedOver == Self.mostOldPositions else { return }
    passedOver = 0
    let frame = first + Int64(count + pending)
    if captureWatch.hasStepped(captureClock, frame: frame, at: time) {
      captureClock.restart(nominalRate: sampleRate)
      if captureWatch.isSettled { report.resyncs += 1 }
      captureWatch = ClockStepWatch()
    }
    captureClock.observe(frame: frame, at: time, written: isLocked ? whole : frame)
    knowsCapture = true
  }

  // MARK: Samples in

  /// Appends input frames, at most a block, which `fill` writes interleaved to the given address.
  package func append(frames: Int, fill: (UnsafeMutablePointer<Float>) -> Void) {
    fill(staging)
    if count + frames > capacity { discard(frames) }
    for channel in 0..<channels {
      let line = lines + (channel &* capacity &+ count)
      for frame in 0..<frames { line[frame] = staging[frame &* channels &+ channel] }
    }
    count += frames
  }

  /// Makes room for `frames` frames: drops the frames that were read, and further old frames if necessary.
  private func discard(_ frames: Int) {
    let read = isLocked ? whole - Int64(resampler.reach) - first : Int64(count / 2)
    let gone = min(count, max(count + frames - capacity, Int(max(0, read))))
    for channel in 0..<channels {
      let line = lines + (channel &* capacity)
      line.update(from: line + gone, count: count &- gone)
    }
    first += Int64(gone)
    count -= gone
  }

  // MARK: A block out

  /// Whether the next block may need more input frames than are stored.
  var mayLackFrames: Bool { isLocked && lack(to: 1 + Self.furthest) > 0 }

  /// Fills a block with the input that belongs to the playback's frames from `written` on.
  ///
  /// - Returns: the time at which the block's first frame was at the microphone; nil if the block is silent.
  package func read(_ block: UnsafeMutableBufferPointer<Float>, written: Int64) -> HostTime? {
    guard let out = block.baseAddress, knowsPlayback, knowsCapture else { return silence(block) }
    report.driftPPM = (playbackClock.nanosecondsPerFrame / captureClock.nanosecondsPerFrame - 1) * 1e6
    let begins = !isLocked
    if begins { place(at: wantedTime(written)) }
    var last = nextStep(written)
    if !begins, !isThere(to: last) {
      jump(written, to: last)
      last = nextStep(written)
    }
    guard isThere(to: last) else {
      unlock()
      return silence(block)
    }
    if begins { lock(at: last) }
    resampler.read(
      lines, length: capacity, channels: channels, from: Double(whole - first) + part, step: (step, last),
      frames: blockFrames, into: out)
    if begins { fadeIn(out) }
    let time = time(ofPlace: whole, part)
    advance(to: last)
    return time
  }

  /// Returns the step at the end of the next block, from the ratio of the clocks and the error of the delay.
  private func nextStep(_ written: Int64) -> Double {
    let error = time(ofPlace: whole, part).seconds(since: wantedTime(written))
    let ratio =
      playbackClock.nanosecondsPerFrame / captureClock.nanosecondsPerFrame * (1 - error / Self.settling)
    return min(1 + Self.furthest, max(1 - Self.furthest, ratio))
  }

  /// Returns the time at which the input for the output frame `written` should have been at the microphone.
  ///
  /// The earliest wake for the block comes `lead` frames before the block is heard. At this wake, all input of the
  /// block must be present.
  private func wantedTime(_ written: Int64) -> HostTime {
    let needed = Double(blockFrames + resampler.reach + reserve) * captureClock.nanosecondsPerFrame
    let age = Double(lead) * playbackClock.nanosecondsPerFrame + needed
    return playbackClock.time(ofFrame: written).advanced(byNanoseconds: -Int64(age))
  }

  private func time(ofPlace whole: Int64, _ part: Double) -> HostTime {
    captureClock.time(ofFrame: whole).advanced(byNanoseconds: Int64(part * captureClock.nanosecondsPerFrame))
  }

  /// Moves the read position to the frame that was at the microphone at `time`.
  private func place(at time: HostTime) {
    let newest = first + Int64(count)
    let frames =
      Double(time.nanoseconds(since: captureClock.time(ofFrame: newest))) / captureClock.nanosecondsPerFrame
    whole = newest + Int64(frames.rounded(.down))
    part = frames - frames.rounded(.down)
  }

  private func advance(to last: Double) {
    let end = part + Double(blockFrames) * 0.5 * (step + last)
    whole += Int64(end)
    part = end - end.rounded(.down)
    step = last
  }

  /// Returns the number of input frames that are missing for the next block if its last step is `last`.
  ///
  /// The result is 0 or less if no frame is missing.
  private func lack(to last: Double) -> Int64 {
    let end = part + Double(blockFrames) * max(step, last, 0.5 * (step + last))
    return whole + Int64(end) + Int64(resampler.reach) + 1 - first - Int64(count)
  }

  private func isThere(to last: Double) -> Bool {
    whole - first >= Int64(resampler.reach) && lack(to: last) <= 0
  }

  // MARK: Resynchronisation

  /// Moves the read position so that the next block can be read.
  ///
  /// If input is missing, the reserve grows, and the position moves back. If the input at the position was already
  /// dropped, the position moves forward.
  private func jump(_ written: Int64, to last: Double) {
    let old = whole
    let shortage = Int(lack(to: last))
    if shortage > 0 { reserve = min(longestReserve, reserve + max(blockFrames, shortage)) }
    place(at: wantedTime(written))
    guard isThere(to: last) else { return }
    report.resyncs += 1
    if whole < old { report.repeatedFrames += Int(old - whole) }
    if whole > old { report.droppedFrames += Int(whole - old) }
  }

  private func lock(at step: Double) {
    if hasLocked { report.resyncs += 1 }
    (isLocked, hasLocked, self.step) = (true, true, step)
  }

  private func unlock() { isLocked = false }

  private func silence(_ block: UnsafeMutableBufferPointer<Float>) -> HostTime? {
    block.update(repeating: 0)
    if hasLocked { report.repeatedFrames += blockFrames }
    return nil
  }

  private func fadeIn(_ out: UnsafeMutablePointer<Float>) {
    for frame in 0..<blockFrames {
      let gain = Float(frame) / Float(blockFrames)
      for channel in 0..<channels { out[frame &* channels &+ channel] *= gain }
    }
  }
}
