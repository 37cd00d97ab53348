import CMoSystem
import Glibc
import MoTime

/// The exchange of blocks with one card or two: waiting, reading, writing, and getting going again.
///
/// Playback leads. A capture stream on the same card runs in step with it, and both are waited for. One on
/// another card has a clock of its own: its reads follow playback's, and where the two have drifted a block
/// apart, one input block is dropped or repeated and counted.
///
/// - Thread: the audio thread's, once started.
/// - Real-time safe: allocates nothing after `init`.
final class PCMCycle<Stream: PCMStream> {
  /// What has happened, for whoever reports it.
  struct Counts: Equatable {
    var recoveries = 0
    var lostFrames = 0
    var repeatedInputBlocks = 0
    var droppedInputBlocks = 0
    var faults = SampleConversion.Faults()
  }

  let format: AudioFormat
  let playback: Stream?
  let capture: Stream?
  /// Whether one clock drives both directions.
  let inStep: Bool
  /// Whether starting and stopping one stream does so to the other.
  let linked: Bool
  /// Frames kept queued towards the card: what latency is made of.
  let depth: Int
  let clock: any TimeSource
  /// How long one poll lasts, in nanoseconds; what a poll in vain counts for does not depend on it.
  var pollTimeout: Int64 = Patience.poll

  private(set) var counts = Counts()
  private(set) var outputLatencyFrames: Int
  private(set) var isLost = false

  // Frames since `start`; what the program wrote, not the silence put before it.
  private var written: Int64 = 0
  private var readFrames: Int64 = 0
  private var lastPosition: CardPosition?
  private var fault: Int32 = 0
  private var failures = 0
  private var idle: Int64 = 0
  private var inputIsSettled = false

  private let requests: UnsafeMutablePointer<pollfd>
  private let outputs: UnsafeMutableBufferPointer<Float>
  private let inputs: UnsafeMutableBufferPointer<Float>
  private let lastInput: UnsafeMutableBufferPointer<Float>
  private let raw: UnsafeMutableRawPointer
  private let rawBytes: Int

  /// - Parameter depth: frames to keep queued towards the card; whole blocks, at most its buffer.
  init(
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
    let descriptors = (playback?.descriptorCount ?? 0) + (capture?.descriptorCount ?? 0)
    requests = .allocate(capacity: max(1, descriptors))
    requests.initialize(repeating: pollfd(), count: max(1, descriptors))
    let block = format.blockFrames
    outputs = .zeros(block * (playback?.channels ?? 0))
    inputs = .zeros(block * (capture?.channels ?? 0))
    lastInput = .zeros(block * format.inputs)
    rawBytes = block * 4 * max(playback?.channels ?? 0, capture?.channels ?? 0, 1)
    raw = .allocate(byteCount: rawBytes, alignment: 64)
    raw.initializeMemory(as: UInt8.self, repeating: 0, count: rawBytes)
  }

  deinit {
    requests.deallocate()
    outputs.deallocate()
    inputs.deallocate()
    lastInput.deallocate()
    raw.deallocate()
  }

  /// Gets the card going with silence in its buffer.
  ///
  /// - Returns: 0 or a negative errno.
  func start() -> Int32 {
    written = 0
    readFrames = 0
    lastPosition = nil
    fault = 0
    failures = 0
    idle = 0
    return restart()
  }

  /// Stops the card after what is queued has sounded.
  func stop() {
    if let playback, !isLost {
      let status = playback.status()
      let seconds = Double(max(0, min(status.delay, playback.bufferFrames))) / format.sampleRate
      if status.error == 0, status.state == .sound { pause(min(Int64(seconds * 1e9), Patience.ending)) }
    }
    _ = playback?.drop()
    _ = capture?.drop()
  }

  /// Waits until a block can be exchanged; see `AudioDevice.wait`.
  func wait() -> AudioDeviceState {
    if isLost { return .lost }
    if fault != 0 { return recover() }
    // What is ready already is not polled for: it would wake the thread again and again for nothing.
    var playbackPending = playback != nil
    var capturePending = capture != nil && (inStep || playback == nil)
    while playbackPending || capturePending {
      let playbackCount = playbackPending ? playback?.descriptorCount ?? 0 : 0
      let captureCount = capturePending ? capture?.descriptorCount ?? 0 : 0
      if playbackPending { playback?.addDescriptors(to: requests) }
      if capturePending { capture?.addDescriptors(to: requests + playbackCount) }
      let found = momu_poll(requests, UInt(playbackCount + captureCount), pollTimeout)
      if found == 0 { return stayedIdle(for: Patience.poll) }
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
        if events & (POLLERR | POLLHUP | POLLNVAL) != 0 { return trouble(capture) }
        if events & POLLIN != 0 {
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
  func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool {
    guard let capture, let out = block.baseAddress, fault == 0, !isLost else { return false }
    if playback != nil && !inStep && !align(capture) {
      _ = block.update(fromContentsOf: lastInput)
      return fault == 0
    }
    guard take(capture) else { return false }
    let map = ChannelMap(from: capture.channels, to: format.inputs)
    counts.faults += SampleConversion.decode(raw, as: capture.sampleFormat, to: inputs)
    if let samples = inputs.baseAddress { map.copy(samples, to: out, frames: format.blockFrames) }
    if !inStep { _ = lastInput.update(fromContentsOf: block) }
    readFrames += Int64(format.blockFrames)
    return true
  }

  /// Takes `block` as the next output; see `AudioDevice.write`.
  func write(_ block: UnsafeBufferPointer<Float>) -> Bool {
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
        guard waits <= Patience.shortExchanges else {
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

  /// Brings capture on another clock to where a block can be read; false where the last is to be repeated.
  ///
  /// The input may stand between one block and four behind; a card that reports whole periods needs two.
  private func align(_ stream: Stream) -> Bool {
    var available = stream.available()
    if available < 0 {
      guard restartCapture(stream, after: Int32(available)) else { return false }
      available = 0
    }
    let block = format.blockFrames
    if available < (inputIsSettled ? block : block + block / 2) {
      if inputIsSettled { inputIsSettled = false }
      counts.repeatedInputBlocks += 1
      return false
    }
    inputIsSettled = true
    while available > 4 * block {
      guard take(stream) else { return false }
      available -= block
      counts.droppedInputBlocks += 1
    }
    return true
  }

  /// Sets a capture stream of its own going again, which playback need not notice.
  private func restartCapture(_ stream: Stream, after error: Int32) -> Bool {
    if error == -ENODEV {
      fault = error
      return false
    }
    counts.recoveries += 1
    inputIsSettled = false
    _ = stream.drop()
    let result = stream.prepare()
    let started = result < 0 ? result : stream.begin()
    if started < 0 { fault = started }
    return started >= 0
  }

  private var blockNanoseconds: Int64 { Int64(Double(format.blockFrames) / format.sampleRate * 1e9) }
}

// MARK: - Trouble

extension PCMCycle {
  /// Notes what is wrong with a stream that woke with an error, and deals with it.
  private func trouble(_ stream: Stream) -> AudioDeviceState { trouble(stream, stream.status()) }

  private func trouble(_ stream: Stream, _ status: PCMStatus) -> AudioDeviceState {
    fault =
      switch status.state {
      case .disconnected: -ENODEV
      case .suspended: -ESTRPIPE
      case .xrun: -EPIPE
      case .sound: status.error != 0 ? status.error : -EPIPE
      }
    return recover()
  }

  /// Sets the card going again, or finds that it cannot be.
  private func recover() -> AudioDeviceState {
    if fault == -ENODEV || fault == -ENOTTY || fault == -ESHUTDOWN { return lose() }
    if fault == -ESTRPIPE {
      // The card wakes in its own time. Then all starts anew in any case: what was queued is stale.
      let streams = [playback, capture]
      _ = streams
      if isStillAsleep() { return stayedIdle(for: Patience.resume, pausing: true) }
    }
    failures += 1
    guard failures <= Patience.failures else { return lose() }
    let gap = framesSinceDry()
    let result = restart()
    if result == -ENODEV { return lose() }
    if result == -ESTRPIPE {
      fault = result
      return stayedIdle(for: Patience.resume, pausing: true)
    }
    if result < 0 {
      fault = result
      return stayedIdle(for: Patience.resume, pausing: true)
    }
    fault = 0
    counts.recoveries += 1
    counts.lostFrames += gap
    return .recovered(lostFrames: gap)
  }

  private func lose() -> AudioDeviceState {
    isLost = true
    return .lost
  }

  /// Whether a suspended card has yet to wake.
  private func isStillAsleep() -> Bool {
    if let playback, playback.resume() == -EAGAIN { return true }
    if let capture, capture.resume() == -EAGAIN { return true }
    return false
  }

  /// Puts everything in its first state and starts it, with silence queued.
  private func restart() -> Int32 {
    inputIsSettled = false
    _ = playback?.drop()
    _ = capture?.drop()
    if let playback {
      let result = playback.prepare()
      if result < 0 { return result }
    }
    // Before the silence is queued: preparing one of two linked streams prepares both.
    if let capture {
      let result = capture.prepare()
      if result < 0 { return result }
    }
    if let playback {
      let result = fillWithSilence(playback)
      if result < 0 { return result }
    }
    if let capture, !linked || playback == nil {
      let result = capture.begin()
      if result < 0 { return result }
    }
    return playback?.begin() ?? 0
  }

  /// Queues `depth` frames of silence, so that the first block is asked for when the first silent one is over.
  private func fillWithSilence(_ stream: Stream) -> Int32 {
    raw.initializeMemory(as: UInt8.self, repeating: 0, count: rawBytes)
    var left = depth
    while left > 0 {
      let count = stream.write(raw, count: min(left, format.blockFrames))
      if count == -Int(EAGAIN) || count == 0 { return 0 }
      if count < 0 { return Int32(count) }
      left -= count
    }
    return 0
  }

  /// Frames that should have sounded since the card ran dry.
  private func framesSinceDry() -> Int {
    guard let lastPosition else { return 0 }
    let elapsed = Int64(clock.now.seconds(since: lastPosition.time) * format.sampleRate)
    let queued = playback == nil ? 0 : written - lastPosition.frame
    return Int(max(0, elapsed - queued))
  }

  /// Waits a quarter of a block where polling would return at once.
  private func idleABit() -> AudioDeviceState { stayedIdle(for: blockNanoseconds / 4, pausing: true) }

  /// Counts time in which nothing could be done; a card that gives no sign for seconds is lost.
  private func stayedIdle(for nanoseconds: Int64, pausing: Bool = false) -> AudioDeviceState {
    if pausing { pause(nanoseconds) }
    idle += nanoseconds
    return idle >= Patience.stalled ? lose() : .waiting
  }

  private func pause(_ nanoseconds: Int64) { _ = momu_poll(nil, 0, min(pollTimeout, nanoseconds)) }
}

/// How long the cycle puts up with what; times in nanoseconds.
private enum Patience {
  /// One poll: the engine looks after other things in between.
  static let poll: Int64 = 500_000_000
  /// Between two tries to wake a suspended card.
  static let resume: Int64 = 100_000_000
  /// Without a block: the card or its server is as good as gone.
  static let stalled: Int64 = 4_000_000_000
  /// For what is queued to sound at the end.
  static let ending: Int64 = 500_000_000
  /// Recoveries in a row with no block between.
  static let failures = 8
  /// Waits for room in one block.
  static let shortExchanges = 8
}

extension UnsafeMutableBufferPointer<Float> {
  fileprivate static func zeros(_ count: Int) -> Self {
    let buffer = allocate(capacity: count)
    buffer.initialize(repeating: 0)
    return buffer
  }
}
