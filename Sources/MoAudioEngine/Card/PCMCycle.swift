import CMoSystem
import Glibc
import MoCore

/// The exchange of blocks with one card or two: waiting, reading, writing, and getting going again.
///
/// Playback leads. A capture stream on the same card runs in step with it, and both are waited for. A stream on
/// another card has a clock of its own: its wakes date its frames, and `AdaptiveInput` resamples them to playback's
/// clock.
///
/// - Thread: the audio thread's, once started.
/// - Real-time safe: allocates nothing after `init`.
package final class PCMCycle<Stream: PCMStream> {
  /// What has happened, for whoever reports it.
  package struct Counts: Equatable {
    var recoveries = 0
    var lostFrames = 0
    var faults = SampleConversion.Faults()
  }

  package let format: AudioFormat
  package let playback: Stream?
  package let capture: Stream?
  /// Whether one clock drives both directions.
  let inStep: Bool
  /// Whether starting and stopping one stream does so to the other.
  let linked: Bool
  /// Frames kept queued towards the card: what latency is made of.
  package private(set) var depth: Int
  /// How often an underrun has made them more.
  package private(set) var growths = 0
  let clock: any TimeSource
  /// How long one poll lasts, in nanoseconds; what a poll in vain counts for does not depend on it.
  var pollTimeout: Int64 = PCMTimeout.poll

  // The rest is the cycle's own, spread over its files.
  package var counts = Counts()
  /// Frames from what is written next to the ear, when last asked.
  package var outputLatencyFrames: Int
  /// When the first frame of the last input block had reached the microphone.
  package var inputTime: HostTime?
  /// Whether the card is gone for good.
  package var isLost = false
  /// Frames written since `start`: the program's, not the silence put before them.
  var written: Int64 = 0
  var readFrames: Int64 = 0
  /// Where the sound was when last asked.
  var lastPosition: CardPosition?
  /// What went wrong and is to be recovered from: a negative errno, 0 for nothing.
  var fault: Int32 = 0
  /// Recoveries since the last block.
  var failures = 0
  /// Nanoseconds since the last block in which nothing could be done.
  var idle: Int64 = 0
  /// What resamples input from a clock of its own; nil where there is none.
  let adaptiveInput: AdaptiveInput?

  let requests: UnsafeMutablePointer<pollfd>
  private let outputs: UnsafeMutableBufferPointer<Float>
  let inputs: UnsafeMutableBufferPointer<Float>
  let raw: UnsafeMutableRawPointer
  let rawBytes: Int

  /// - Parameter depth: frames to keep queued towards the card; whole blocks, at most its buffer.
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

  /// Gets the card going with silence in its buffer.
  ///
  /// - Returns: 0 or a negative errno.
  package func start() -> Int32 {
    written = 0
    readFrames = 0
    lastPosition = nil
    fault = 0
    failures = 0
    idle = 0
    return restart()
  }

  /// Stops the card at once; what is queued is not heard.
  package func stop() {
    _ = playback?.drop()
    _ = capture?.drop()
  }

  /// Waits until a block can be exchanged; see `AudioDevice.wait`.
  package func wait() -> AudioDeviceState {
    if isLost { return .lost }
    if fault != 0 { return recover() }
    // What is ready already is not polled for: it would wake the thread again and again for nothing.
    var playbackPending = playback != nil
    var capturePending = capture != nil
    let begun = clock.now
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
        if events & (POLLERR | POLLHUP | POLLNVAL) != 0 { return trouble(playback) }
        if events & POLLOUT != 0 {
          playbackPending = false
          woken = true
        }
      }
      if capturePending, let capture {
        let events = capture.events(in: requests + playbackCount)
        let isTrouble = events & (POLLERR | POLLHUP | POLLNVAL) != 0
        if let adaptiveInput, isTrouble || events & POLLIN != 0 {
          // Playback is waited for, not this; a card that only wakes and gives nothing must not keep us from sleeping.
          capturePending = false
          woken = hear(capture, into: adaptiveInput, wokenAfter: begun) > 0 || woken
          if fault != 0 { return recover() }
          if woken && playbackPending { return stayedIdle(for: nanoseconds(capture.periodFrames)) }
        } else if isTrouble {
          return trouble(capture)
        } else if events & POLLIN != 0 {
          capturePending = false
          woken = true
        }
      }
      // A plugin may wake for its own affairs.
      if !woken { return idleABit() }
    }
    return ready()
  }

  /// Fills `block` with the next input; see `AudioDevice.read`.
  package func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool {
    guard let capture, let out = block.baseAddress, fault == 0, !isLost else { return false }
    if let adaptiveInput { return read(block, of: capture, through: adaptiveInput) }
    let status = capture.status()
    guard take(capture) else { return false }
    inputTime = (status.time ?? clock.now).advanced(bySeconds: -Double(status.delay) / format.sampleRate)
    let map = ChannelMap(from: capture.channels, to: format.inputs)
    counts.faults += SampleConversion.decode(raw, as: capture.sampleFormat, to: inputs)
    if let samples = inputs.baseAddress { map.copy(samples, to: out, frames: format.blockFrames) }
    readFrames += Int64(format.blockFrames)
    return true
  }

  /// Takes `block` as the next output; see `AudioDevice.write`.
  package func write(_ block: UnsafeBufferPointer<Float>) -> Bool {
    guard let playback, let samples = block.baseAddress, let out = outputs.baseAddress, fault == 0, !isLost
    else { return false }
    ChannelMap(from: format.outputs, to: playback.channels)
      .copy(samples, to: out, frames: format.blockFrames)
    counts.faults += SampleConversion.encode(outputs, to: raw, as: playback.sampleFormat)
    guard put(playback) else { return false }
    written += Int64(format.blockFrames)
    return true
  }
}

// MARK: - The queue

extension PCMCycle {
  /// Queues a block more from now on, where the stream lets the queue grow: what stands between does not ask in time.
  ///
  /// The stream is stopped. Not real-time safe, like all that sets a sound server's stream going again.
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
  /// Looks where playback, or capture alone, stands.
  private func ready() -> AudioDeviceState {
    guard let leader = playback ?? capture else { return .lost }
    let status = leader.status()
    if status.error != 0 || status.state != .sound { return trouble(leader, status) }
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
      // With no ear to reach, the microphone's clock: the newest frame it has heard.
      frame = readFrames + Int64(status.delay)
    }
    lastPosition = CardPosition(frame: frame, time: time)
    return .ready(position: lastPosition)
  }

  /// Reads a whole block into `raw`.
  private func take(_ stream: Stream) -> Bool {
    let frameBytes = stream.channels * stream.sampleFormat.bytes
    return exchange(stream, POLLIN) { stream.read(raw + $0 * frameBytes, count: $1) }
  }

  /// Writes a whole block from `raw`.
  private func put(_ stream: Stream) -> Bool {
    let frameBytes = stream.channels * stream.sampleFormat.bytes
    return exchange(stream, POLLOUT) { stream.write(raw + $0 * frameBytes, count: $1) }
  }

  /// Moves a block however many calls it takes: a plugin may take less at once than it said.
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
