import MoCore
import MoDSPCore
import Synchronization

/// Sound input and output: a callback that is called for every block of frames.
///
/// ```swift
/// try MoAudio.start(Sine(frequency: 440)) { sine, block in
///   for frame in block.frames { block[frame] = sine.tick() }
/// }
/// ```
///
/// State passed to `start` belongs to the audio thread and needs no annotation. The output of a block is zero when
/// the callback receives it. NaN and infinity are silenced, and samples beyond ±1 are clipped; `status` counts both.
///
/// - Thread: any except the audio callback, unless a member's comment differs.
public enum MoAudio {
  /// Stops the sound: fades out within 10 ms, waits until the fade was heard, and releases the device.
  ///
  /// It does nothing if no sound plays. The callback is not called again.
  public static func stop() { AudioServer.shared.stop() }

  /// Whether the callback is being called.
  public static var isRunning: Bool { AudioServer.shared.playback != nil }

  /// Whether the output is muted, with a fade of 10 ms; the callback is still called.
  public static var isMuted: Bool {
    get { AudioServer.shared.isMuted }
    set { AudioServer.shared.isMuted = newValue }
  }

  /// The level of all sound of the program, 0…1, by default 1; its square is the gain.
  ///
  /// The gain moves within 10 ms. It applies in addition to each instrument's own loudness. In a session, the
  /// conductor sets this level for a section.
  public static var level: Float {
    get { AudioServer.shared.level }
    set { AudioServer.shared.level = newValue }
  }

  /// Frames per second of the device; 0 while stopped.
  public static var sampleRate: Double { AudioServer.shared.playback?.format.sampleRate ?? 0 }

  /// Frames per block of the device; 0 while stopped.
  public static var blockFrames: Int { AudioServer.shared.playback?.format.blockFrames ?? 0 }

  /// The fraction of a block's duration that the callback takes, smoothed.
  public static var load: Double { AudioServer.shared.playback?.renderer.statistics.load ?? 0 }

  /// The number of xruns since the start.
  public static var xruns: Int {
    AudioServer.shared.playback?.renderer.statistics.xruns.load(ordering: .relaxed) ?? 0
  }

  /// Seconds from the callback to the ear, as reported by the device.
  public static var latency: Double { status.latency }

  /// Seconds from a strike to its sound if strikes keep their spacing: the latency plus a block.
  ///
  /// It is the difference between `block.playedTime` and `block.time`, and 0 while stopped.
  public static var playThrough: Double {
    guard let statistics = AudioServer.shared.playback?.renderer.statistics else { return 0 }
    return Double(statistics.playThroughNanoseconds.load(ordering: .relaxed)) * 1e-9
  }

  /// Seconds that an event must be sent before it is to be heard; 0 while stopped.
  package static var soundLead: Double {
    let latency = status.latency
    return max(playThrough, latency > 0 ? latency + Double(blockFrames) / max(1, sampleRate) : 0)
  }

  /// Whether strikes keep their spacing in time, for at most one block of added latency; true by default.
  ///
  /// If false, each strike sounds with the next block: up to a block sooner, and unevenly.
  public static var spacesEvenly: Bool {
    get { AudioServer.shared.spacesEvenly }
    set { AudioServer.shared.spacesEvenly = newValue }
  }

  /// The state of the sound: all figures, and the rights that the system did not grant.
  ///
  /// The commands to get these rights are included.
  public static var status: AudioStatus {
    guard let playback = AudioServer.shared.playback else { return AudioStatus() }
    let statistics = playback.renderer.statistics
    let format = playback.format
    return AudioStatus(
      device: playback.deviceName, sampleRate: format.sampleRate, blockFrames: format.blockFrames,
      inputs: format.inputs, outputs: format.outputs, blocks: statistics.blocks.load(ordering: .relaxed),
      load: statistics.load, xruns: statistics.xruns.load(ordering: .relaxed),
      lostFrames: statistics.lostFrames.load(ordering: .relaxed),
      latency: Double(statistics.latencyFrames.load(ordering: .relaxed)) / format.sampleRate,
      queuedFrames: statistics.queuedFrames.load(ordering: .relaxed),
      queueGrowths: statistics.queueGrowths.load(ordering: .relaxed), driftPPM: statistics.driftPPM,
      inputClock: statistics.inputClock.map {
        AudioInputClock(
          driftPPM: $0.driftPPM, resyncs: $0.resyncs, repeatedFrames: $0.repeatedFrames,
          droppedFrames: $0.droppedFrames)
      },
      nonFinite: statistics.nonFinite.load(ordering: .relaxed),
      clipped: statistics.clipped.load(ordering: .relaxed), rights: playback.rights,
      shortcomings: playback.shortcomings)
  }

  /// Calls `callback` for every event of the device: xruns, loss and return, another default.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on its own thread, never on the audio thread.
  @discardableResult
  public static func onEvent(_ callback: @escaping @Sendable (AudioEvent) -> Void) -> MoToken {
    AudioServer.shared.events.add(callback)
  }
}
