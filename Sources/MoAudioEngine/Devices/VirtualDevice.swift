import MoCore

/// A device without a card: it accepts blocks at the pace of a real card and discards them.
///
/// It also plays instead of a missing or lost card, so that the program's time continues.
package final class VirtualDevice: AudioDevice {
  package let name: String
  package let format: AudioFormat
  private let clock: any TimeSource
  private let crystal: SimulatedOscillator?
  /// The clock that sets the pace: the clock of the simulated card's oscillator (`crystal`) or, without an oscillator,
  /// the host's clock.
  private let pace: any TimeSource
  /// The number of frames in a second of the clock `pace`.
  private let rate: Double
  /// The number of frames from the request of a burst until the first frame of the burst is heard.
  private let latency: Int
  private let burst: Int64
  private var startTime = HostTime.zero
  private var written: Int64 = 0

  /// The default latency from the callback to the ear, in blocks: that of a card with a double buffer.
  private static let bufferBlocks = 2
  /// The lateness of a block, in frames, above which the blocks that are due count as lost.
  ///
  /// With a simulated card's clock, the limit is the latency, so that the device underruns as a card does. Otherwise it
  /// is 0.1 s, since no sound is audible. The limit is at least a block, since only whole blocks are lost.
  private var mostLate: Double {
    max(Double(format.blockFrames), crystal == nil ? 0.1 * rate : Double(latency))
  }

  /// - Parameters:
  ///   - clock: the host's clock.
  ///   - card: the simulated card, with its latency and the number of frames that it requests in one burst.
  ///   - crystal: a clock that sets the pace and the steps of the reported positions, as in a real card; nil for the
  ///     clock of `card`.
  package init(
    name: String = "virtual", format: AudioFormat, clock: any TimeSource,
    card: SimulatedCard = SimulatedCard(), crystal: SimulatedOscillator? = nil
  ) {
    let crystal = crystal ?? card.crystal(format)
    self.name = name
    self.format = format
    self.clock = clock
    self.crystal = crystal
    pace = crystal?.time ?? clock
    rate = crystal?.framesPerSecond ?? format.sampleRate
    latency = card.latencyFrames(format, unsaid: VirtualDevice.bufferBlocks * format.blockFrames)
    burst = Int64(card.burstBlocks(format) * format.blockFrames)
  }

  package var outputLatencyFrames: Int { latency + Int(written - asked) }

  /// The index of the first frame of the present burst, counted from `start`.
  private var asked: Int64 { written / burst * burst }

  /// The time at which the first frame since `start` is heard, on the clock `pace`.
  var firstHeard: HostTime { time(ofFrame: Int64(latency)) }

  package func start() {
    startTime = pace.now
    written = 0
  }

  package func wait() -> AudioDeviceState {
    let due = time(ofFrame: asked)
    pace.sleep(until: due)
    let now = pace.now
    let late = now.seconds(since: due) * rate
    if late > mostLate {
      let lost = Int(late) / format.blockFrames * format.blockFrames
      startTime = startTime.advanced(bySeconds: Double(lost) / rate)
      return .recovered(lostFrames: lost)
    }
    guard let crystal else {
      return .ready(position: CardPosition(frame: asked - Int64(latency), time: due))
    }
    let stamp = clock.now
    let passed = Int64(now.seconds(since: startTime) * rate)
    let position = passed / crystal.step * crystal.step - Int64(latency)
    return .ready(position: CardPosition(frame: position, time: stamp))
  }

  package func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool {
    block.update(repeating: 0)
    return true
  }

  package func write(_ block: UnsafeBufferPointer<Float>) -> Bool {
    written += Int64(format.blockFrames)
    return true
  }

  package func stop() {}
  package func close() {}

  /// Returns the time at which the card requests a frame, on the clock `pace`.
  private func time(ofFrame frame: Int64) -> HostTime {
    startTime.advanced(bySeconds: Double(frame) / rate)
  }
}
