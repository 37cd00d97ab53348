import CMoSystem
import MoAudioDevices
import MoCore
import MoRuntime

/// Renders a program's sound as fast as possible, on a single thread, with a clock that counts the rendered frames.
///
/// The renderer repeats two steps. It delivers the readings that are due; then it renders up to the frame of the next
/// reading, but at most a block. So a reading reaches the program at its exact frame, and the same run gives the same
/// bytes. For a card with latency or bursts (`wav:FILE?latency=43&burst=1024`), whole blocks are rendered before they
/// are heard, as for real cards.
struct OfflineRenderer {
  let run: Run
  let clock: FrameClock
  let audio: AudioServer

  /// The most frames by which the clock advances at a time if no sound device sets a block size.
  private static let idleFrames = 512
  /// The length of the sound after the last reading if the program was started without `--seconds`, in seconds.
  private static let tailSeconds = 2.0
  /// The maximum number of times that the inputs are serviced at the same frame, before rendering continues.
  ///
  /// An input that has still more to deliver at that frame counts as stuck.
  private static let mostServices = 100_000

  /// A reason why a run cannot be rendered.
  enum Failure: Error, CustomStringConvertible {
    case endless

    var description: String {
      "--offline needs an end: add --seconds SECONDS, or play a tape with --accel tape:FILE, which ends by itself"
    }
  }

  /// Renders the run to its end.
  ///
  /// - Parameters:
  ///   - seconds: the length of the run; nil to end two seconds after the last reading of the inputs that end by
  ///     themselves.
  ///   - isStopped: called before every block; true ends the run early.
  /// - Throws: `Failure.endless` if `seconds` is nil and no input ends by itself, or the errors of writing the sound
  ///   file.
  func render(seconds: Double?, isStopped: () -> Bool) throws {
    if seconds == nil && run.input.nextFiniteTime == nil { throw Failure.endless }
    // As on the audio thread, so that decaying filters do not slow it down.
    momu_flush_denormals()
    let end = seconds.map { HostTime.zero.advanced(bySeconds: $0) }
    var lastReading = HostTime.zero
    while !isStopped() {
      let now = clock.now
      var services = 0
      while let next = run.input.nextTime, next <= now, services < OfflineRenderer.mostServices {
        if let reading = run.input.nextFiniteTime, reading <= now { lastReading = max(lastReading, reading) }
        run.input.service(until: now)
        services += 1
      }
      let stop =
        end
        ?? (run.input.nextFiniteTime == nil
          ? lastReading.advanced(bySeconds: OfflineRenderer.tailSeconds) : .distantFuture)
      guard now < stop else { return }
      try renderBlock(before: min(run.input.nextTime ?? .distantFuture, stop))
    }
  }

  /// Renders a block that ends at `limit` or earlier, or a whole burst of blocks for a card with latency or bursts.
  private func renderBlock(before limit: HostTime) throws {
    let playback = audio.playback as? OfflinePlayback
    if let playback, playback.burstBlocks != nil {
      return clock.advance(frames: try playback.renderBurst(at: clock.now))
    }
    var frames = playback?.format.blockFrames ?? OfflineRenderer.idleFrames
    if limit < clock.time(ofFrame: clock.frame + Int64(frames)) {
      frames = max(1, Int(clock.firstFrame(notBefore: limit) - clock.frame))
    }
    try playback?.render(frames: frames, at: clock.now)
    clock.advance(frames: frames)
  }
}
