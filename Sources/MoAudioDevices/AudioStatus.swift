/// The state of the sound: a copy of all figures at one moment.
public struct AudioStatus: Sendable, CustomStringConvertible {
  /// The present device, as `--audio` names it; nil if the sound is stopped.
  public var device: String?
  /// The sample rate of the device, in frames per second.
  public var sampleRate = 0.0
  /// The number of frames per block of the device.
  public var blockFrames = 0
  /// The number of input channels.
  public var inputs = 0
  /// The number of output channels.
  public var outputs = 0
  /// The number of blocks rendered since the start.
  public var blocks = 0
  /// The fraction of a block's duration that the callback takes, averaged over about 20 blocks.
  public var load = 0.0
  /// The number of xruns since the start: underruns and overruns of the device, and times at which the machine slept.
  public var xruns = 0
  /// The number of frames lost in xruns.
  public var lostFrames = 0
  /// Seconds from the callback to the ear, as reported by the device.
  public var latency = 0.0
  /// The number of frames that MoMu keeps queued for a card or a sound server; 0 if the device has no own queue.
  public var queuedFrames = 0
  /// The number of times that MoMu made the queue longer by a block after an underrun; this occurs with sound servers.
  public var queueGrowths = 0
  /// The deviation of the card's sample rate from its nominal rate, in parts per million; negative for a slower card.
  ///
  /// The rate is measured with the host's clock.
  public var driftPPM = 0.0
  /// A report of how the input keeps up with playback if the two have different clocks; otherwise nil.
  public var inputClock: AudioInputClock?
  /// The number of samples that were NaN or infinite, and that MoMu silenced.
  public var nonFinite = 0
  /// The number of samples beyond full scale that MoMu clipped.
  public var clipped = 0
  /// The priority of the audio thread, and the service that granted the priority, as text.
  ///
  /// An example is "real-time priority 4, by rtkit".
  ///
  /// If the thread belongs to a sound server, or has no real-time priority, the text says so.
  public var rights = ""
  /// Permissions that the system did not grant, each with the command that gets it; empty if none is missing.
  public var shortcomings: [String] = []

  /// The figures as lines of text for people.
  public var description: String {
    guard let device else { return "MoAudio is stopped." }
    var lines = [
      "\(device): \(Int(sampleRate)) Hz, \(blockFrames) frames a block, \(inputs) in, \(outputs) out",
      "load \(Int(load * 100)) %, \(xruns) xruns, latency \(Int(latency * 1000)) ms",
      rights,
    ]
    if queueGrowths > 0 {
      lines.append(
        "the queue grew to \(queuedFrames) frames, because underruns showed that it was too short (\(queueGrowths) times): "
          + "a larger --block may need no such growth")
    }
    if let inputClock { lines.append(inputClock.description) }
    if nonFinite > 0 { lines.append("\(nonFinite) samples were NaN or infinite and were silenced") }
    if clipped > 0 { lines.append("\(clipped) samples were beyond full scale and were clipped") }
    return (lines + shortcomings).joined(separator: "\n")
  }
}

/// A report of how input from another card, or another server stream, keeps up with playback.
///
/// MoMu resamples this input to playback's clock. The counts are totals since the start; for a healthy pair of cards
/// they are 0.
public struct AudioInputClock: Equatable, Sendable, CustomStringConvertible {
  /// The deviation of the input clock's rate from playback's, in parts per million; negative for a slower input.
  public var driftPPM = 0.0
  /// The number of times that input was synchronised again, after an xrun, a pause of the card, or a jump of a clock.
  public var resyncs = 0
  /// The number of frames filled with earlier input or silence, because the input was late or its card stopped.
  public var repeatedFrames = 0
  /// The number of frames of input that MoMu skipped, because playback was late.
  public var droppedFrames = 0
  /// Whether the input is silent, because it failed again after each restart.
  public var isFailing = false

  /// A line of text for people.
  public var description: String {
    var line = "input on a clock of its own, \(driftPPM < 0 ? "−" : "+")\(Int(abs(driftPPM).rounded())) ppm"
    if resyncs > 0 || repeatedFrames > 0 || droppedFrames > 0 {
      line += ", \(resyncs) resyncs, \(repeatedFrames) frames repeated, \(droppedFrames) dropped"
    }
    if isFailing { line += "; silent, since it fails again after each restart" }
    return line
  }
}
