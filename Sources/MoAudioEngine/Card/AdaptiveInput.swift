import MoCore
import MoDSPCore

/// Input from a card with its own clock, resampled so that each block of playback gets a block of input.
///
/// One `CardClock` gives the time at which an input frame was at the microphone. Another gives the time at which an
/// output frame will be heard. The delay from the microphone to the ear is kept constant: each block is read at the
/// position that this delay demands. The ratio of the clocks and the error of the delay set the steps between
/// positions, which change evenly within a block.
///
/// - Source: F. Adriaensen, *Controlling adaptive resampling* (2012), for the loop.
/// - Thread: the audio thread.
/// - Real-time safe: allocates nothing after `init`; the work per block is bounded.
package final class AdaptiveInput {
  private let blockFrames: Int
  private let channels: Int
  private let sampleRate: Double
  private let resampler: Resampler
  /// The stored input, `capacity` frames for each channel in sequence; `staging` holds new frames, still interleaved.
  private let lines: UnsafeMutablePointer<Float>
  private let capacity: Int
  private let staging: UnsafeMutablePointer<Float>
  /// The number of the first stored frame of the input, and the number of stored frames.
  private var first: Int64 = 0
  private var count = 0

  private var microphone: CardClock
  private var ear: CardClock
  private var microphoneWatch = ClockStepWatch()
  private var earWatch = ClockStepWatch()
  /// Whether the microphone's clock and the ear's clock have been read since their last restart.
  private var knowsMicrophone = false
  private var knowsEar = false
  /// The number of positions that were ignored since the last accepted position, because they were reported late.
  private var passedOver = 0

  /// The position at which the next block is read, in frames of the input: a whole frame and a fraction.
  private var whole: Int64 = 0
  private var part = 0.0
  /// The last step between two positions.
  private var step = 1.0
  private var isLocked = false
  private var hasLocked = false
  /// The most playback frames queued at the wake for a block so far: the time from that wake to the ear.
  private var lead = 0
  /// Frames of input that are kept beyond those of a block, since the card reports recorded frames late.
  private var reserve: Int
  private let longestReserve: Int
  package private(set) var report = InputClockReport()

  /// The greatest deviation of the ratio from 1, and the time constant of the error correction, in seconds.
  private static let furthest = 0.005
  private static let settling = 1.0
  /// The number of late positions in a row after which a position is accepted although it is late.
  private static let patience = 64

  /// - Parameters:
  ///   - periodFrames: frames from one wake of the input's card to the next.
  ///   - bufferFrames: the most frames that the card gives in one call.
  package init(format: AudioFormat, periodFrames: Int, bufferFrames: Int) {
    blockFrames = format.blockFrames
    channels = format.inputs
    sampleRate = format.sampleRate
    resampler = Resampler(atAnyPlaceOf: format.sampleRate)
    microphone = CardClock(nominalRate: format.sampleRate)
    ear = CardClock(nominalRate: format.sampleRate)
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

  /// Restarts after a shift in time of the input's frames or, with `bothClocks`, also of the playback's frames.
  ///
  /// The learned rates of the clocks are kept.
  package func restart(bothClocks: Bool) {
    microphone.restart()
    microphoneWatch = ClockStepWatch()
    knowsMicrophone = false
    if bothClocks {
      ear.restart()
      earWatch = ClockStepWatch()
      knowsEar = false
      lead = 0
    }
    first += Int64(count)
    count = 0
    unlock()
  }

  // MARK: The clocks

  /// Records that a frame of the output was heard at `time`.
  package func observeOutput(frame: Int64, at time: HostTime, written: Int64) {
    if earWatch.hasStepped(ear, frame: frame, at: time) {
      ear.restart(nominalRate: sampleRate)
      if earWatch.isSettled { report.resyncs += 1 }
      earWatch = ClockStepWatch()
    }
    ear.observe(frame: frame, at: time, written: written)
    knowsEar = true
    // A delay that the card reports once, and its clock does not confirm, must not add latency for good.
    let queued = Int(written - frame)
    let confirmed = ear.time(ofFrame: written).seconds(since: time) + 0.01
    if queued > lead, Double(queued) < confirmed * sampleRate { lead = queued }
  }

  /// Records that `pending` frames beyond the appended ones had reached the microphone at `time`.
  ///
  /// - Parameter isPrompt: whether the thread waited for the card; if false, the card's position may be old.
  package func observeInput(pending: Int, at time: HostTime, isPrompt: Bool = true) {
    passedOver = isPrompt ? 0 : passedOver + 1
    guard isPrompt || !knowsMicrophone || passedOver == Self.patience else { return }
    passedOver = 0
    let frame = first + Int64(count + pending)
    if microphoneWatch.hasStepped(microphone, frame: frame, at: time) {
      microphone.restart(nominalRate: sampleRate)
      if microphoneWatch.isSettled { report.resyncs += 1 }
      microphoneWatch = ClockStepWatch()
    }
    microphone.observe(frame: frame, at: time, written: isLocked ? whole : frame)
    knowsMicrophone = true
  }

  // MARK: Samples in

  /// Appends frames, at most a block, which `fill` writes interleaved.
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

  /// Whether the next block may need more frames than are present.
  var mayLackFrames: Bool { isLocked && lack(to: 1 + Self.furthest) > 0 }

  /// Fills a block with the input that belongs to the playback's frames from `written` on.
  ///
  /// - Returns: the time at which the block's first frame was at the microphone; nil if the block is silent.
  package func read(_ block: UnsafeMutableBufferPointer<Float>, written: Int64) -> HostTime? {
    guard let out = block.baseAddress, knowsEar, knowsMicrophone else { return silence(block) }
    report.driftPPM = (ear.nanosecondsPerFrame / microphone.nanosecondsPerFrame - 1) * 1e6
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

  /// Returns the step at the end of the block, from the ratio of the clocks and the error of the delay.
  private func nextStep(_ written: Int64) -> Double {
    let error = time(ofPlace: whole, part).seconds(since: wantedTime(written))
    let ratio = ear.nanosecondsPerFrame / microphone.nanosecondsPerFrame * (1 - error / Self.settling)
    return min(1 + Self.furthest, max(1 - Self.furthest, ratio))
  }

  /// Returns the time at which the first frame of the block at `written` should have been at the microphone.
  ///
  /// The earliest wake for the block comes `lead` frames before the block is heard. At this wake, all input of the
  /// block must be present.
  private func wantedTime(_ written: Int64) -> HostTime {
    let needed = Double(blockFrames + resampler.reach + reserve) * microphone.nanosecondsPerFrame
    let age = Double(lead) * ear.nanosecondsPerFrame + needed
    return ear.time(ofFrame: written).advanced(byNanoseconds: -Int64(age))
  }

  private func time(ofPlace whole: Int64, _ part: Double) -> HostTime {
    microphone.time(ofFrame: whole).advanced(byNanoseconds: Int64(part * microphone.nanosecondsPerFrame))
  }

  /// Sets the position to the frame that was at the microphone at `time`.
  private func place(at time: HostTime) {
    let newest = first + Int64(count)
    let frames =
      Double(time.nanoseconds(since: microphone.time(ofFrame: newest))) / microphone.nanosecondsPerFrame
    whole = newest + Int64(frames.rounded(.down))
    part = frames - frames.rounded(.down)
  }

  private func advance(to last: Double) {
    let end = part + Double(blockFrames) * 0.5 * (step + last)
    whole += Int64(end)
    part = end - end.rounded(.down)
    step = last
  }

  /// Returns the number of frames that the next block lacks if its last step is `last`; 0 or less if it lacks none.
  private func lack(to last: Double) -> Int64 {
    let end = part + Double(blockFrames) * max(step, last, 0.5 * (step + last))
    return whole + Int64(end) + Int64(resampler.reach) + 1 - first - Int64(count)
  }

  private func isThere(to last: Double) -> Bool {
    whole - first >= Int64(resampler.reach) && lack(to: last) <= 0
  }

  // MARK: Resynchronisation

  /// Jumps to a position at which a block can be read.
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
