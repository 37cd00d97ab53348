import Glibc
import MoCore

/// Input from a card whose clock is not that of playback.
extension PCMCycle {
  /// A report of how input with its own clock keeps up with playback; nil if both directions have the same clock.
  package var inputClock: InputClockReport? {
    guard var report = adaptiveInput?.report else { return nil }
    report.isFailing = captureFailures > PCMTimeout.failures
    return report
  }

  /// Returns whether there is a capture stream that runs; starts the stream again at the end of a pause.
  func wakeCapture(at now: HostTime) -> Bool {
    guard let capture else { return false }
    guard let captureResumes else { return true }
    guard now >= captureResumes else { return false }
    self.captureResumes = nil
    begin(capture)
    return self.captureResumes == nil
  }

  /// Fills `block` with the next input, resampled to playback's clock.
  ///
  /// - Returns: false if the card has a fault.
  func read(
    _ block: UnsafeMutableBufferPointer<Float>, of stream: Stream, through input: AdaptiveInput
  ) -> Bool {
    if input.mayLackFrames { _ = readInput(stream, into: input, wokenAfter: nil) }
    guard fault == 0 else { return false }
    inputTime = input.read(block, written: written)
    return true
  }

  /// Reads the frames that the card has recorded, and passes them to `input`.
  ///
  /// If the card has woken the thread, the function reads whole periods and leaves the rest in the card. Without that
  /// rest, the card would not wake the thread at the end of the next period. If a block needs the rest, the function
  /// reads all frames.
  ///
  /// - Parameters:
  ///   - begun: the time at which the thread began to wait, if the card woke it at the end of a period; else nil. The
  ///     card's position is exact only at the end of a period, since many cards move it by whole periods.
  /// - Returns: the number of frames that were read; 1 if the card had to be restarted, and 0 if the card is lost.
  func readInput(_ stream: Stream, into input: AdaptiveInput, wokenAfter begun: HostTime?) -> Int {
    let status = stream.status()
    if status.error != 0 || status.state != .sound {
      return restartCapture(stream, input, after: status.state == .disconnected ? -ENODEV : status.error)
    }
    if let begun {
      let time = status.time ?? clock.now
      // If a period ended before the query, the time of its end is unknown.
      let isPrompt = time.seconds(since: begun) > 20e-6
      input.observeInput(pending: status.delay, at: time, isPrompt: isPrompt)
    }
    let chunk = min(format.blockFrames, stream.periodFrames)
    var left = min(status.available, stream.bufferFrames)
    while left >= (begun == nil ? 1 : chunk) {
      let count = stream.read(raw, count: min(left, chunk))
      if count == 0 || count == -Int(EAGAIN) { break }
      if count == -Int(EINTR) { continue }
      if count < 0 { return restartCapture(stream, input, after: Int32(count)) }
      append(count, of: stream, into: input)
      left -= count
    }
    return min(status.available, stream.bufferFrames) - left
  }

  /// Converts frames in `raw` to floats in the program's channels, and appends them to `input`.
  private func append(_ frames: Int, of stream: Stream, into input: AdaptiveInput) {
    captureFailures = 0
    let samples = UnsafeMutableBufferPointer(rebasing: inputs[..<(frames &* stream.channels)])
    counts.faults += SampleConversion.decode(raw, as: stream.sampleFormat, to: samples)
    guard let samples = samples.baseAddress else { return }
    let map = ChannelMap(from: stream.channels, to: format.inputs)
    input.append(frames: frames) { map.copy(samples, to: $0, frames: frames) }
  }

  /// Restarts a capture stream with its own clock; playback is not affected.
  ///
  /// A stream that has failed too often since it last gave frames is restarted later by `wakeCapture`. Without this
  /// pause, the stream would wake the thread again immediately, and the thread would never sleep.
  ///
  /// - Returns: 1, or 0 if the card is lost.
  private func restartCapture(_ stream: Stream, _ input: AdaptiveInput, after error: Int32) -> Int {
    if error == -ENODEV {
      fault = error
      return 0
    }
    counts.recoveries += 1
    captureFailures += 1
    input.restart(bothClocks: false)
    _ = stream.drop()
    if captureFailures > PCMTimeout.failures {
      captureResumes = clock.now.advanced(byNanoseconds: PCMTimeout.resume)
    } else {
      begin(stream)
    }
    return 1
  }

  /// Starts a capture stream with its own clock; if that fails, `wakeCapture` tries again after a pause.
  ///
  /// Only a card that is gone is a fault of the cycle: a recovery of the cycle would interrupt playback.
  private func begin(_ stream: Stream) {
    let result = stream.prepare()
    let started = result < 0 ? result : stream.begin()
    guard started < 0 else { return }
    guard started != -ENODEV else {
      fault = started
      return
    }
    captureFailures += 1
    captureResumes = clock.now.advanced(byNanoseconds: PCMTimeout.resume)
  }
}
