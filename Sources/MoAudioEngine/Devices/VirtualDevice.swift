import MoCore

/// A card that is not there: it takes blocks at the pace of a real one and lets them go.
///
/// What plays when there is no card, or none for the moment, so that the program's time goes on.
package final class VirtualDevice: AudioDevice {
  package let name: String
  package let format: AudioFormat
  private let clock: any TimeSource
  private let crystal: SimulatedOscillator?
  /// What the pace is kept by, and frames a second of that.
  private let pace: any TimeSource
  private let rate: Double
  private let latency: Int
  private let burst: Int64
  private var startTime = HostTime.zero
  private var written: Int64 = 0

  /// Blocks between the callback and the ear, as a card with a double buffer has.
  private static let bufferBlocks = 2
  /// How far behind the pace it may fall before blocks count as lost, in seconds: with a crystal of its own it runs
  /// dry as a card does; else it waits longer, since nobody hears it.
  private var patience: Double { crystal == nil ? 0.1 : Double(latency) / rate }

  /// - Parameters:
  ///   - clock: the host's.
  ///   - card: its latency, and how many frames it asks for at once.
  ///   - crystal: what keeps the pace and blurs the positions, as a real card does; nil for what `card` says.
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

  /// The frame with which the present burst began.
  private var asked: Int64 { written / burst * burst }

  /// When the first frame since `start` reaches the ear, by the clock that keeps the pace.
  var firstHeard: HostTime { time(ofFrame: Int64(latency)) }

  package func start() {
    startTime = pace.now
    written = 0
  }

  package func wait() -> AudioDeviceState {
    let due = time(ofFrame: asked)
    pace.sleep(until: due)
    let now = pace.now
    let late = now.seconds(since: due)
    if late > patience {
      let lost = Int(late * rate) / format.blockFrames * format.blockFrames
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

  /// When a frame is asked for.
  private func time(ofFrame frame: Int64) -> HostTime {
    startTime.advanced(bySeconds: Double(frame) / rate)
  }
}
