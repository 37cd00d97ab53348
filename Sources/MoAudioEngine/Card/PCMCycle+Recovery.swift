import CMoSystem
import Glibc
import MoCore

extension PCMCycle {
  /// Notes what is wrong with a stream that woke with an error, and deals with it.
  func trouble(_ stream: Stream) -> AudioDeviceState { trouble(stream, stream.status()) }

  func trouble(_ stream: Stream, _ status: PCMStatus) -> AudioDeviceState {
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
  func recover() -> AudioDeviceState {
    if fault == -ENODEV || fault == -ENOTTY || fault == -ESHUTDOWN { return lose() }
    if fault == -ESTRPIPE {
      // The card wakes in its own time. Then all starts anew in any case: what was queued is stale.
      if isStillAsleep() { return stayedIdle(for: PCMTimeout.resume, pausing: true) }
    }
    failures += 1
    guard failures <= PCMTimeout.failures else { return lose() }
    let gap = framesSinceDry()
    let result = restart(deeper: fault == -EPIPE)
    if result == -ENODEV { return lose() }
    if result < 0 {
      fault = result
      return stayedIdle(for: PCMTimeout.resume, pausing: true)
    }
    fault = 0
    counts.recoveries += 1
    counts.lostFrames += gap
    lastPosition = nil
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
  ///
  /// - Parameter deeper: whether the queue has been too short.
  func restart(deeper: Bool = false) -> Int32 {
    adaptiveInput?.restart(bothClocks: true)
    _ = playback?.drop()
    _ = capture?.drop()
    if deeper { deepen() }
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
  func idleABit() -> AudioDeviceState { stayedIdle(for: blockNanoseconds / 4, pausing: true) }

  /// Counts time in which nothing could be done; a card that gives no sign for seconds is lost.
  func stayedIdle(for nanoseconds: Int64, pausing: Bool = false) -> AudioDeviceState {
    if pausing { pause(nanoseconds) }
    idle += nanoseconds
    return idle >= PCMTimeout.stalled ? lose() : .waiting
  }

  func pause(_ nanoseconds: Int64) { _ = momu_poll(nil, 0, min(pollTimeout, nanoseconds)) }
}

/// How long the cycle puts up with what; times in nanoseconds.
enum PCMTimeout {
  /// One poll: the engine looks after other things in between.
  static let poll: Int64 = 500_000_000
  /// Between two tries to wake a suspended card.
  static let resume: Int64 = 100_000_000
  /// Without a block: the card or its server is as good as gone.
  static let stalled: Int64 = 4_000_000_000
  /// Recoveries in a row with no block between.
  static let failures = 8
  /// Waits for room in one block.
  static let shortExchanges = 8
}
