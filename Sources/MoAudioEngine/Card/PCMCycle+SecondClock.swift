import Glibc
import MoCore

/// Input from a card whose clock is not playback's.
extension PCMCycle {
  /// How such input keeps up with playback; nil where one clock drives both directions.
  package var inputClock: InputClockReport? { adaptiveInput?.report }

  /// Fills `block` with the next input at playback's pace.
  func read(
    _ block: UnsafeMutableBufferPointer<Float>, of stream: Stream, through input: AdaptiveInput
  ) -> Bool {
    if input.mayLackFrames { _ = hear(stream, into: input, wokenAfter: nil) }
    guard fault == 0 else { return false }
    inputTime = input.read(block, written: written)
    return true
  }

  /// Takes in what the card has heard.
  ///
  /// At a wake of the card that is whole periods. The rest stays there unless a block needs it: if it is taken, the
  /// card does not wake us at the end of that period.
  ///
  /// - Parameters:
  ///   - begun: where the card has said that a period is over, when we began to wait for that. Only then is its position
  ///     known well, since many cards move it by whole periods.
  /// - Returns: how many frames; where the card had to be set going again, 1.
  func hear(_ stream: Stream, into input: AdaptiveInput, wokenAfter begun: HostTime?) -> Int {
    let status = stream.status()
    if status.error != 0 || status.state != .sound {
      return restartCapture(stream, input, after: status.state == .disconnected ? -ENODEV : status.error)
    }
    if let begun {
      let time = status.time ?? clock.now
      // A period that was over before we looked has been over for nobody knows how long.
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
      take(count, of: stream, into: input)
      left -= count
    }
    return min(status.available, stream.bufferFrames) - left
  }

  /// Passes frames on that were read into `raw`.
  private func take(_ frames: Int, of stream: Stream, into input: AdaptiveInput) {
    let samples = UnsafeMutableBufferPointer(rebasing: inputs[..<(frames &* stream.channels)])
    counts.faults += SampleConversion.decode(raw, as: stream.sampleFormat, to: samples)
    guard let samples = samples.baseAddress else { return }
    let map = ChannelMap(from: stream.channels, to: format.inputs)
    input.append(frames: frames) { map.copy(samples, to: $0, frames: frames) }
  }

  /// Sets a capture stream of its own going again, which playback need not notice.
  private func restartCapture(_ stream: Stream, _ input: AdaptiveInput, after error: Int32) -> Int {
    if error == -ENODEV {
      fault = error
      return 0
    }
    counts.recoveries += 1
    input.restart(bothClocks: false)
    _ = stream.drop()
    let result = stream.prepare()
    let started = result < 0 ? result : stream.begin()
    if started < 0 { fault = started }
    return 1
  }
}
