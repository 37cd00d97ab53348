/// How the sound is doing: a copy of all figures at one moment.
public struct AudioStatus: Sendable, CustomStringConvertible {
  /// What plays, as `--audio` names it; nil where nothing does.
  public var device: String?
  /// Frames a second of the device.
  public var sampleRate = 0.0
  /// Frames in a block of the device.
  public var blockFrames = 0
  /// Input channels.
  public var inputs = 0
  /// Output channels.
  public var outputs = 0
  /// Blocks rendered since the start.
  public var blocks = 0
  /// The part of a block's duration that the callback takes, smoothed; 1 is all there is.
  public var load = 0.0
  /// How often the device ran dry, or the machine slept.
  public var xruns = 0
  /// Frames that were not heard for that.
  public var lostFrames = 0
  /// Seconds from the callback to the ear, by the device's own account.
  public var latency = 0.0
  /// Frames kept queued towards a card or a sound server; 0 where the device keeps none of its own.
  public var queuedFrames = 0
  /// How often an underrun has made that queue a block longer, as a sound server's may become.
  public var queueGrowths = 0
  /// How much faster than nominal the card's clock runs against the host's, in parts per million.
  public var driftPPM = 0.0
  /// How input keeps up that comes from another clock than playback's; nil where one clock drives both.
  public var inputClock: AudioInputClock?
  /// Samples that were not numbers and were silenced.
  public var nonFinite = 0
  /// Samples beyond full scale that were clipped.
  public var clipped = 0
  /// What the callback runs by, in words: a priority and whose leave, the server's thread, or none.
  public var rights = ""
  /// What the system did not grant, each with the command that grants it; empty where all is well.
  public var shortcomings: [String] = []

  /// Some lines for people.
  public var description: String {
    guard let device else { return "MoAudio is stopped." }
    var lines = [
      "\(device): \(Int(sampleRate)) Hz, \(blockFrames) frames a block, \(inputs) in, \(outputs) out",
      "load \(Int(load * 100)) %, \(xruns) xruns, latency \(Int(latency * 1000)) ms",
      rights,
    ]
    if queueGrowths > 0 {
      lines.append(
        "the queue grew to \(queuedFrames) frames, as underruns showed that it was too short (\(queueGrowths) times): "
          + "a larger --block may need no such growth")
    }
    if let inputClock { lines.append(inputClock.description) }
    if nonFinite > 0 { lines.append("\(nonFinite) samples were not numbers and were silenced") }
    if clipped > 0 { lines.append("\(clipped) samples were beyond full scale and were clipped") }
    return (lines + shortcomings).joined(separator: "\n")
  }
}

/// How input keeps up that comes from another card, or another server's stream, than playback.
///
/// Such input is resampled to playback's clock. The counts are those since the start; 0 is what a healthy pair of cards
/// has.
public struct AudioInputClock: Equatable, Sendable, CustomStringConvertible {
  /// How much faster the input's clock runs than playback's, in parts per million; negative where slower.
  public var driftPPM = 0.0
  /// How often the place in the input was lost and found anew: after an xrun, a pause of the card, or a leap of a clock.
  public var resyncs = 0
  /// Frames for which earlier input or silence stood in, since the input was late or its card stopped.
  public var repeatedFrames = 0
  /// Frames of input that were passed over, since playback was late.
  public var droppedFrames = 0

  /// A line for people.
  public var description: String {
    var line = "input on a clock of its own, \(driftPPM < 0 ? "−" : "+")\(Int(abs(driftPPM).rounded())) ppm"
    if resyncs > 0 || repeatedFrames > 0 || droppedFrames > 0 {
      line += ", \(resyncs) resyncs, \(repeatedFrames) frames repeated, \(droppedFrames) dropped"
    }
    return line
  }
}
