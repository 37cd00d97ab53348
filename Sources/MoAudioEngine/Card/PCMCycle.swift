import CMoSystem
import Glibc
import MoCore

/// The cycle that exchanges blocks with one card or two: it waits, reads, writes and recovers from faults.
///
/// Playback sets the pace. A capture stream on the same card is synchronous to playback, and the cycle waits for both.
/// A capture stream on another card has its own clock. The wakes of that card give the times of its frames, and
/// `AdaptiveInput` resamples the frames to playback's clock.
///
/// - Thread: the audio thread, after `start`.
/// - Real-time safe: allocates nothing after `init`.
package final class PCMCycle<Stream: PCMStream> {
  /// The numbers of recoveries, lost frames and faulty samples, for reports.
  package struct Counts: Equatable {
    package var recoveries = 0
    var lostFrames = 0
    package var faults = SampleConversion.Faults()
  }

  package let format: AudioFormat
  package let playback: Stream?
  package let capture: Stream?
  /// Whether playback and capture have the same clock.
  let inStep: Bool
  /// Whether the streams are linked in ALSA, so that starting or stopping either stream does the same to the other.
  let linked: Bool
  /// The number of frames kept queued for the card; this queue makes up most of the latency.
  package private(set) var depth: Int
  /// The number of times that an underrun made the queue longer.
  package private(set) var growths = 0
  let clock: any TimeSource
  /// The timeout of a poll, in nanoseconds, which tests shorten.
  ///
  /// A poll that ends by this timeout adds `PCMTimeout.poll` to the time without a block, even if a test has shortened
  /// the timeout.
  package var pollTimeout: Int64 = PCMTimeout.poll

  // The rest is private to the cycle, in several files.
  package var counts = Counts()
  /// The number of frames between the next frame to write and the ear, as the card reported at the last query.
  package var outputLatencyFrames: Int
  /// The time at which the first frame of the last input block reached the microphone.
  package var inputTime: HostTime?
  /// Whether the card is lost, so that only `AudioDevice.close` works from now on.
  package var isLost = false
  /// The number of the program's frames written since `start`, without the initial silence.
  var written: Int64 = 0
  var readFrames: Int64 = 0
  /// The frame at the ear or, without playback, at the microphone, and its time, at the last query of the card.
  ///
  /// It is nil before the first query and after a recovery.
  var lastPosition: CardPosition?
  /// The fault to recover from: a negative errno, 0 for none.
  var fault: Int32 = 0
  /// The number of attempts to recover since the last block.
  var failures = 0
  /// The number of failures of a capture stream with its own clock, since it last gave frames.
  var captureFailures = 0
  /// The time at which a capture stream that failed is started again after a pause; nil while the stream runs.
  var captureResumes: HostTime?
  /// The time without a block: the nanoseconds spent in polls without a result and in pauses since the last block.
  var idle: Int64 = 0
  /// The resampler of input with its own clock; nil if there is no such input, or no playback.
  let adaptiveInput: AdaptiveInput?

  let requests: UnsafeMutablePointer<pollfd>
  private let outputs: UnsafeMutableBufferPointer<Float>
  let inputs: UnsafeMutableBufferPointer<Float>
  let raw: UnsafeMutableRawPointer
  let rawBytes: Int

  /// - Parameter depth: the number of frames to keep queued for the card: whole blocks, at most the size of the card's
  ///   buffer.
  package init(
    format: AudioFormat, playback: Stream?, capture: Stream?, inStep: Bool, linked: Bool, depth: Int,
    clock: any TimeSource = SystemClock()
  ) {
    self.format = format
    self.playback = playback
    self.capture = capture
    self.inStep = inStep
    self.linked = linked
    self.depth = depth
    self.clock = clock
    outputLatencyFrames = playback == nil ? 0 : depth
    adaptiveInput =
      if let capture, playback != nil, !inStep {
        AdaptiveInput(format: format, periodFrames: capture.periodFrames, bufferFrames: capture.bufferFrames)
      } else {
        nil
      }
    let descriptors = (playback?.descriptorCount ?? 0) + (capture?.descriptorCount ?? 0)
    requests = .allocate(capacity: max(1, descriptors))
    requests.initialize(repeating: pollfd(), count: max(1, descriptors))
    let block = format.blockFrames
    outputs = .zeros(block * (playback?.channels ?? 0))
    inputs = .zeros(block * (capture?.channels ?? 0))
    rawBytes = block * 4 * max(playback?.channels ?? 0, capture?.channels ?? 0, 1)
    raw = .allocate(byteCount: rawBytes, alignment: 64)
    raw.initializeMemory(as: UInt8.self, repeating: 0, count: rawBytes)
  }

  deinit {
    requests.deallocate()
    outputs.deallocate()
    inputs.deallocate()
    raw.deallocate()
  }

  /// Starts the card with silence in its buffer.
  ///
  /// - Returns: 0 or a negative errno.
  package func start() -> Int32 {
    written = 0
    readFrames = 0
    lastPosition = nil
    fault = 0
    failures = 0
    captureFailures = 0
    idle = 0
    return restart()
  }

  /// Stops the card immediately; queued sound is not heard.
  package func stop() {
    _ = playback?.drop()
    _ = capture?.drop()
  }

  /// Waits until a block can be exchanged; see `AudioDevice.wait`.
  package func wait() -> AudioDeviceState {
    if isLost { return .lost }
    // Before the input is started: its error must not replace the fault, such as a suspend.
    if fault != 0 { return recover() }
    let begun = clock.now
    var capturePending = wakeCapture(at: begun)
    if fault != 0 { return recover() }
    // A stream that is already ready is not polled: it would wake the thread repeatedly without need.
    var playbackPending = playback != nil
    while playbackPending || (capturePending && adaptiveInput == nil) {
      let playbackCount = playbackPending ? playback?.descriptorCount ?? 0 : 0
      let captureCount = capturePending ? capture?.descriptorCount ?? 0 : 0
      if playbackPending { playback?.addDescriptors(to: requests) }
      if capturePending { capture?.addDescriptors(to: requests + playbackCount) }
      let found = momu_poll(requests, UInt(playbackCount + captureCount), pollTimeout)
      if found == 0 { return stayedIdle(for: PCMTimeout.poll) }
      if found < 0 { return .waiting }
      var woken = false
      if playbackPending, let playback {
        let events = playback.events(in: requests)
        if events & (POLLERR | POLLHUP | POLLNVAL) != 0 { return handleError(of: playback) }
        if events & POLLOUT != 0 {
          playbackPending = false
          woken = true
        }
      }
      if capturePending, let capture {
        let events = capture.events(in: requests + playbackCount)
        let hasError = events & (POLLERR | POLLHUP | POLLNVAL) != 0
        if let adaptiveInput, hasError || events & POLLIN != 0 {
          // The cycle waits for playback, not for this. A card that wakes without data must not keep the thread from
          // sleeping.
          capturePending = false
          woken = readInput(capture, into: adaptiveInput, wokenAfter: begun) > 0 || woken
          if fault != 0 { return recover() }
          if woken && playbackPending { return stayedIdle(for: clock.now.nanoseconds(since: begun)) }
        } else if hasError {
          return handleError(of: capture)
        } else if events & POLLIN != 0 {
          capturePending = false
          woken = true
        }
      }
      // A plugin may wake for internal reasons.
      if !woken { return idleABit() }
    }
    return ready()
  }

  /// Fills `block` with the next input; see `AudioDevice.read`.
  package func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool {
    guard let capture, let out = block.baseAddress, fault == 0, !isLost else { return false }
    if let adaptiveInput { return read(block, of: capture, through: adaptiveInput) }
    let status = capture.status()
    guard readBlock(capture) else { return false }
    inputTime = (status.time ?? clock.now).advanced(bySeconds: -Double(status.delay) / format.sampleRate)
    let map = ChannelMap(from: capture.channels, to: format.inputs)
    counts.faults += SampleConversion.decode(raw, as: capture.sampleFormat, to: inputs)
    if let samples = inputs.baseAddress { map.copy(samples, to: out, frames: format.blockFrames) }
    readFrames += Int64(format.blockFrames)
    return true
  }

  /// Accepts `block` as the next output; see `AudioDevice.write`.
  package func write(_ block: UnsafeBufferPointer<Float>) -> Bool {
    guard fault == 0, !isLost else { return false }
    guard let playback, let samples = block.baseAddress, let out = outputs.baseAddress else { return true }
    ChannelMap(from: format.outputs, to: playback.channels)
      .copy(samples, to: out, frames: format.blockFrames)
    counts.faults += SampleConversion.encode(outputs, to: raw, as: playback.sampleFormat)
    guard writeBlock(playback) else { return false }
    written += Int64(format.blockFrames)
    return true
  }
}

// MARK: - The queue

extension PCMCycle {
  /// Makes the queue a block longer if the stream allows it, because the server requests blocks too late.
  ///
  /// The stream must be stopped. The call is not real-time safe, like every restart of a sound server's stream.
  func deepen() {
    guard let playback, depth + format.blockFrames <= playback.deepestFrames,
      playback.deepen(to: depth + format.blockFrames)
    else { return }
    depth += format.blockFrames
    growths += 1
  }
}

// MARK: - One block

extension PCMCycle {
  /// Asks the card for the position of playback, or of capture if there is no playback.
  ///
  /// - Returns: `.ready` with the position if a block can be exchanged; otherwise the state after a wait or a recovery.
  private func ready() -> AudioDeviceState {
    guard let leader = playback ?? capture else { return .lost }
    let status = leader.status()
    if status.error != 0 || status.state != .sound { return handleError(of: leader, status) }
    let needed = playback == nil ? format.blockFrames : leader.bufferFrames - depth + format.blockFrames
    guard status.available >= needed else { return idleABit() }
    idle = 0
    failures = 0
    let time = status.time ?? clock.now
    let frame: Int64
    if playback != nil {
      outputLatencyFrames = status.delay
      frame = written - Int64(status.delay)
      adaptiveInput?.observeOutput(frame: frame, at: time, written: written)
    } else {
      // Without playback, this is the microphone's clock: the newest frame that it has recorded.
      frame = readFrames + Int64(status.delay)
    }
    lastPosition = CardPosition(frame: frame, time: time)
    return .ready(position: lastPosition)
  }

  /// Reads a whole block into `raw`; returns false if there was a fault.
  private func readBlock(_ stream: Stream) -> Bool {
    let frameBytes = stream.channels * stream.sampleFormat.bytes
    return exchange(stream, POLLIN) { stream.read(raw + $0 * frameBytes, count: $1) }
  }

  /// Writes a whole block from `raw`; returns false if there was a fault.
  private func writeBlock(_ stream: Stream) -> Bool {
    let frameBytes = stream.channels * stream.sampleFormat.bytes
    return exchange(stream, POLLOUT) { stream.write(raw + $0 * frameBytes, count: $1) }
  }

  /// Transfers a block in as many calls of `move` as needed; returns false if there was a fault.
  ///
  /// An ALSA plugin may accept fewer frames in a call than it announced.
  private func exchange(_ stream: Stream, _ event: Int32, _ move: (Int, Int) -> Int) -> Bool {
    var done = 0
    var waits = 0
    while done < format.blockFrames {
      let moved = move(done, format.blockFrames - done)
      if moved > 0 {
        done += moved
      } else if moved == 0 || moved == -Int(EAGAIN) {
        waits += 1
        guard waits <= PCMTimeout.shortExchanges else {
          fault = -EPIPE
          return false
        }
        stream.addDescriptors(to: requests)
        _ = momu_poll(requests, UInt(stream.descriptorCount), min(pollTimeout, blockNanoseconds))
      } else if moved != -Int(EINTR) {
        fault = Int32(moved)
        return false
      }
    }
    return true
  }

  var blockNanoseconds: Int64 { nanoseconds(format.blockFrames) }

  private func nanoseconds(_ frames: Int) -> Int64 { Int64(Double(frames) / format.sampleRate * 1e9) }
}

extension UnsafeMutableBufferPointer<Float> {
  fileprivate static func zeros(_ count: Int) -> Self {
    let buffer = allocate(capacity: count)
    buffer.initialize(repeating: 0)
    return buffer
  }
}
