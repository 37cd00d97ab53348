import MoCore
import MoDSPCore
import Synchronization

/// Sound, in and out: one callback, called for every block of frames.
///
/// ```swift
/// try MoAudio.start(Sine(440)) { sine, block in
///   for frame in block.frames { block[frame] = sine.tick() }
/// }
/// ```
///
/// State given to `start` is handed over to the audio thread and needs no annotation. The output arrives
/// zeroed; what is not a number is silenced, what is beyond ±1 clipped, and both are counted in `status`.
///
/// - Thread: any but the audio callback, except where a member says otherwise.
public enum MoAudio {
  /// Stops the sound: fades out within 10 ms, lets it be heard, and lets go of the device.
  ///
  /// Does nothing where nothing plays. The callback is not called again.
  public static func stop() { AudioServer.shared.stop() }

  /// Whether the callback is being called.
  public static var isRunning: Bool { AudioServer.shared.playback != nil }

  /// Whether the output is silenced, fading within 10 ms; the callback is called all the same.
  public static var isMuted: Bool {
    get { AudioServer.shared.isMuted }
    set { AudioServer.shared.isMuted = newValue }
  }

  /// How loud all that the program plays is, 0…1 and 1 at first; its square is the gain, which moves within 10 ms.
  ///
  /// Over each instrument's own loudness: in a session the one who leads sets it for a section.
  public static var level: Float {
    get { AudioServer.shared.level }
    set { AudioServer.shared.level = newValue }
  }

  /// The device's actual frames a second; 0 while stopped.
  public static var sampleRate: Double { AudioServer.shared.playback?.format.sampleRate ?? 0 }

  /// The device's actual frames in a block; 0 while stopped.
  public static var blockFrames: Int { AudioServer.shared.playback?.format.blockFrames ?? 0 }

  /// The part of a block's duration that the callback takes, smoothed; 1 is all there is.
  public static var load: Double { AudioServer.shared.playback?.renderer.statistics.load ?? 0 }

  /// How often the device ran dry since the start.
  public static var xruns: Int {
    AudioServer.shared.playback?.renderer.statistics.xruns.load(ordering: .relaxed) ?? 0
  }

  /// Seconds from the callback to the ear, by the device's own account.
  public static var latency: Double { status.latency }

  /// Seconds from a stroke to its sound, where strokes keep their spacing: the latency and a block; 0 while stopped.
  ///
  /// It is what lies between `block.playedTime` and `block.time`.
  public static var playThrough: Double {
    guard let statistics = AudioServer.shared.playback?.renderer.statistics else { return 0 }
    return Double(statistics.playThroughNanoseconds.load(ordering: .relaxed)) * 1e-9
  }

  /// Seconds before its moment by which something must be sent to be heard then; 0 while stopped.
  package static var soundLead: Double {
    let latency = status.latency
    return max(playThrough, latency > 0 ? latency + Double(blockFrames) / max(1, sampleRate) : 0)
  }

  /// Whether strokes keep their spacing, for at most one block of added latency; true at first.
  ///
  /// If false, each stroke sounds with the next block: up to a block sooner, and unevenly.
  public static var spacesEvenly: Bool {
    get { AudioServer.shared.spacesEvenly }
    set { AudioServer.shared.spacesEvenly = newValue }
  }

  /// All figures, and what the system did not grant, with how to grant it.
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

  /// Calls `callback` for everything that happens to the device: xruns, loss and return, another default.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on a thread of its own, never on the audio thread.
  @discardableResult
  public static func addEventCallback(_ callback: @escaping @Sendable (AudioEvent) -> Void) -> MoToken {
    AudioServer.shared.events.add(callback)
  }
}
