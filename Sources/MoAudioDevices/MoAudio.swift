import MoCore
import MoDSPCore
import MoRuntime
import Synchronization

/// Sound input and output: a callback that is called for every block of frames.
///
/// ```swift
/// try MoAudio.start(Sine(frequency: 440)) { sine, block in
///   for frame in block.frames { block[frame] = sine.tick() }
/// }
/// ```
///
/// A state that you pass to `start` belongs to the audio thread and needs no concurrency annotation. When the
/// callback receives a block, all output samples of the block are 0. MoMu silences NaN and infinity in the output,
/// and clips samples beyond ±1; `status` counts both.
///
/// - Thread: any except the audio callback, unless a member's comment differs.
public enum MoAudio {
  /// Stops the sound: fades out within 10 ms, waits until the fade was heard, and releases the device.
  ///
  /// If no sound plays, the function only ends the instruments of `play`. When the function has returned, MoMu no
  /// longer calls the callback.
  public static func stop() { AudioServer.shared.stop() }

  /// Whether the sound is running, so that MoMu calls the callback for each block; always false with the device `none`.
  public static var isRunning: Bool { AudioServer.shared.playback != nil }

  /// Whether the program mutes the output, with a fade of 10 ms; MoMu still calls the callback.
  ///
  /// In a session, a call for silence also mutes the output, and does not change this value.
  public static var isMuted: Bool {
    get { AudioServer.shared.isMuted }
    set { AudioServer.shared.isMuted = newValue }
  }

  /// The level of all sound of the program, 0…1, by default 1; its square is the gain.
  ///
  /// After a change of the level, the gain reaches its new value within 10 ms. The gain applies in addition to each
  /// instrument's own loudness. In a session, the level of the member's section applies in addition, and does not
  /// change this value. Other values are clamped; NaN counts as 0.
  public static var level: Float {
    get { AudioServer.shared.level }
    set { AudioServer.shared.level = newValue }
  }

  /// The sample rate of the device, in frames per second; 0 while the sound is stopped.
  public static var sampleRate: Double { AudioServer.shared.playback?.format.sampleRate ?? 0 }

  /// The number of frames per block of the device; 0 while the sound is stopped.
  public static var blockFrames: Int { AudioServer.shared.playback?.format.blockFrames ?? 0 }

  /// The fraction of a block's duration that the callback takes, averaged over about 20 blocks; 0 while the sound is
  /// stopped.
  public static var load: Double { AudioServer.shared.playback?.renderer.statistics.load ?? 0 }

  /// The number of xruns since the last start of the sound; 0 while the sound is stopped.
  public static var xruns: Int {
    AudioServer.shared.playback?.renderer.statistics.xruns.load(ordering: .relaxed) ?? 0
  }

  /// Seconds from the callback to the ear, as reported by the device; 0 while the sound is stopped.
  public static var latency: Double { status.latency }

  /// Seconds from a strike to its sound if `spacesEvenly` is true: the latency plus a block.
  ///
  /// If a sound server requests several blocks in one burst, the value is the latency plus these blocks. The value is
  /// the difference between `block.time(frame)` and `block.playedTime(frame)`. It is 0 if `spacesEvenly` is false, and
  /// while the sound is stopped.
  public static var playThrough: Double {
    guard let statistics = AudioServer.shared.playback?.renderer.statistics else { return 0 }
    return Double(statistics.playThroughNanoseconds.load(ordering: .relaxed)) * 1e-9
  }

  /// The least time between the sending of an event and its sound, in seconds; 0 while the sound is stopped.
  ///
  /// To sound at a given moment, an event must be sent at least this long before that moment.
  package static var soundLead: Double {
    let latency = status.latency
    return max(playThrough, latency > 0 ? latency + Double(blockFrames) / max(1, sampleRate) : 0)
  }

  /// Returns the time from the sending of a scheduled note to its sound, in seconds.
  ///
  /// Offline, and if no other machine plays the note, the time is only as long as the output and the loop need. For a
  /// room, the note must also be sent to all members in time, so it is longer than `PartEncoder.ahead`.
  ///
  /// - Parameter forRoom: whether the note must also reach the other members of a room before it sounds.
  package static func noteLead(forRoom: Bool) -> Double {
    soundLead + (Run.current.isOffline ? 0.005 : forRoom ? 0.6 : 0.05)
  }

  /// Whether the sounds of strikes have the same spacing in time as the strikes themselves; true by default.
  ///
  /// If true, each strike sounds after the same delay. This adds at most one block of latency, or more if a sound
  /// server requests several blocks in one burst. If false, each strike sounds with the next block, sooner but with
  /// uneven spacing.
  public static var spacesEvenly: Bool {
    get { AudioServer.shared.spacesEvenly }
    set { AudioServer.shared.spacesEvenly = newValue }
  }

  /// The state of the audio device: its measured values, and the permissions that the system did not grant.
  ///
  /// An example is the permission for real-time priority. For each missing permission, the status has the command that
  /// gets it.
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
          droppedFrames: $0.droppedFrames, isFailing: $0.isFailing)
      },
      nonFinite: statistics.nonFinite.load(ordering: .relaxed),
      clipped: statistics.clipped.load(ordering: .relaxed), rights: playback.rights,
      shortcomings: playback.shortcomings)
  }

  /// Calls `callback` from now on for every `AudioEvent`, such as an xrun, the loss of the device, or a new default
  /// device.
  ///
  /// - Returns: a token whose `cancel()` stops these calls.
  /// - Thread: MoMu calls `callback` on a background thread, never on the audio thread.
  @discardableResult
  public static func onEvent(_ callback: @escaping @Sendable (AudioEvent) -> Void) -> MoToken {
    AudioServer.shared.events.add(callback)
  }
}

/// An event of the sound device, or of a sound file that is being written, during play.
public enum AudioEvent: Sendable, Equatable {
  /// The device underran or overran, or the machine slept; `lostFrames` is the number of lost frames.
  ///
  /// The device continues to play.
  case xrun(lostFrames: Int)
  /// The device was lost. The program continues in silence, and plays on the device again when the device is back.
  case deviceLost(name: String)
  /// The lost device is back and plays now, or MoMu found a card after there was none.
  case deviceBack(name: String)
  /// The system's default device has changed; the new default device plays now.
  case defaultChanged(name: String)
  /// The file of the device `wav:FILE` can no longer be written; the sound in the file so far is playable.
  ///
  /// The program continues.
  case recordingEnded(reason: String)
}
