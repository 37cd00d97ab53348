import CMoSystem
import Glibc
import MoCore

extension PCMCycle {
  /// Determines the fault of a stream that woke the thread with an error, and recovers from the fault.
  func handleError(of stream: Stream) -> AudioDeviceState { handleError(of: stream, stream.status()) }

  func handleError(of stream: Stream, _ status: PCMStatus) -> AudioDeviceState {
    fault =
      switch status.state {
      case .disconnected: -ENODEV
      case .suspended: -ESTRPIPE
      case .xrun: -EPIPE
      case .sound: status.error != 0 ? status.error : -EPIPE
      }
    return recover()
  }

  /// Restarts the card after a fault.
  ///
  /// - Returns: `.recovered`; `.waiting` if the restart must be tried again later; `.lost` if the card is lost.
  func recover() -> AudioDeviceState {
    if fault == -ENODEV || fault == -ENOTTY || fault == -ESHUTDOWN { return lose() }
    if fault == -ESTRPIPE {
      // The card wakes in its own time. Everything restarts then, as the queued sound is outdated.
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

  /// Returns whether a suspended card cannot resume yet.
  private func isStillAsleep() -> Bool {
    if let playback, playback.resume() == -EAGAIN { return true }
    if let capture, capture.resume() == -EAGAIN { return true }
    return false
  }

  /// Prepares both streams again and starts them, with silence queued for playback.
  ///
  /// - Parameter deeper: whether to make the queue longer, because it was too short.
  /// - Returns: 0 or a negative errno.
  func restart(deeper: Bool = false) -> Int32 {
    adaptiveInput?.restart(bothClocks: true)
    captureResumes = nil
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

  /// Fills the queue with `depth` frames of silence, so that the first block is due after a block of silence was
  /// played.
  ///
  /// - Returns: 0 or a negative errno.
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

  /// Returns the number of frames that playback or capture has missed since the underrun or overrun; 0 if unknown.
  private func framesSinceDry() -> Int {
    guard let lastPosition else { return 0 }
    let elapsed = Int64(clock.now.seconds(since: lastPosition.time) * format.sampleRate)
    let queued = playback == nil ? 0 : written - lastPosition.frame
    return Int(max(0, elapsed - queued))
  }

  /// Waits for a quarter of a block's duration; used if a poll would return immediately although no block can be
  /// exchanged.
  ///
  /// - Returns: `.waiting`, or `.lost` if no block could be exchanged for too long.
  func idleABit() -> AudioDeviceState { stayedIdle(for: blockNanoseconds / 4, pausing: true) }

  /// Adds `nanoseconds` to the time without a block, `idle`; when this time reaches `PCMTimeout.stalled`, the card is
  /// lost.
  ///
  /// - Parameter pausing: whether the function also waits for `nanoseconds`.
  func stayedIdle(for nanoseconds: Int64, pausing: Bool = false) -> AudioDeviceState {
    if pausing { pause(nanoseconds) }
    idle += nanoseconds
    return idle >= PCMTimeout.stalled ? lose() : .waiting
  }

  func pause(_ nanoseconds: Int64) { _ = momu_poll(nil, 0, min(pollTimeout, nanoseconds)) }
}

/// The timeouts of `PCMCycle`, in nanoseconds, and the limits of its attempts.
enum PCMTimeout {
  /// The longest poll of the card; the engine does other work between two polls.
  static let poll: Int64 = 500_000_000
  /// The pause between two attempts to wake a suspended card, or to restart a card or its input after a fault.
  static let resume: Int64 = 100_000_000
  /// The time without a block after which the card or its server counts as lost.
  static let stalled: Int64 = 4_000_000_000
  /// The largest number of recoveries between two blocks; after a further fault, the card counts as lost.
  ///
  /// Input with its own clock is not lost then; it is restarted after pauses of `resume`.
  static let failures = 8
  /// The largest number of waits for free space or input during a block; if these do not suffice, the card is
  /// restarted.
  static let shortExchanges = 8
}
