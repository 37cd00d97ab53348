import MoTime

/// A card that is not there: it takes blocks at the pace of a real one and lets them go.
///
/// What plays when there is no card, or none for the moment, so that the program's time goes on.
final class VirtualDevice: AudioDevice {
  let name: String
  let format: AudioFormat
  private let clock: any TimeSource
  private var startTime = HostTime.zero
  private var written: Int64 = 0

  /// Blocks between the callback and the ear, as a card with a double buffer has.
  private static let bufferBlocks: Int64 = 2
  /// How far behind the pace it may fall before blocks count as lost, in seconds: a card would run dry sooner,
  /// but here nobody hears it.
  private static let patience = 0.1

  init(name: String = "virtual", format: AudioFormat, clock: any TimeSource) {
    self.name = name
    self.format = format
    self.clock = clock
  }

  var outputLatencyFrames: Int { Int(VirtualDevice.bufferBlocks) * format.blockFrames }

  func start() {
    startTime = clock.now
    written = 0
  }

  func wait() -> AudioDeviceState {
    let due = time(ofFrame: written)
    clock.sleep(until: due)
    let late = clock.now.seconds(since: due)
    if late > VirtualDevice.patience {
      let lost = Int(late * format.sampleRate) / format.blockFrames * format.blockFrames
      startTime = startTime.advanced(bySeconds: Double(lost) / format.sampleRate)
      return .recovered(lostFrames: lost)
    }
    return .ready(position: CardPosition(frame: written - Int64(outputLatencyFrames), time: due))
  }

  func read(_ block: UnsafeMutableBufferPointer<Float>) -> Bool {
    block.update(repeating: 0)
    return true
  }

  func write(_ block: UnsafeBufferPointer<Float>) -> Bool {
    written += Int64(format.blockFrames)
    return true
  }

  func stop() {}
  func close() {}

  /// When a frame is asked for.
  private func time(ofFrame frame: Int64) -> HostTime {
    startTime.advanced(bySeconds: Double(frame) / format.sampleRate)
  }
}
