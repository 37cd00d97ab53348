import MoRealTime
import MoTime
import Synchronization

/// Moves blocks between the program's callback and a device, and keeps going whatever the device does.
///
/// One cycle a block: wait for the device, read its input, render, write. A device that goes is replaced on the
/// spot by a virtual one, and handed out for closing; another that is handed in takes over between two blocks.
///
/// - Thread: the audio thread runs `cycle`; handovers, flags and statistics may be used from any.
package final class AudioEngine: @unchecked Sendable {
  // Unchecked: device, clock and renderer belong to the thread that runs the cycles.

  /// What happened, for those who watch; small enough for a queue.
  package enum Event: BitwiseCopyable, Sendable {
    case xrun(lostFrames: Int)
    case lost
    case tookOver
    case refused
  }

  package let renderer: BlockRenderer
  package let statistics: AudioStatistics
  package let events = MoQueue<Event>(capacity: 256)
  /// Raised after an event.
  package let signal = MoSignal()
  /// Devices on their way in.
  package let incoming = DeviceHandover()
  /// Devices on their way out, to be closed by an ordinary thread.
  package let outgoing = DeviceHandover()
  private let clock: any TimeSource
  private let standby: VirtualDevice
  private var device: any AudioDevice
  private var cardClock: CardClock
  /// The renderer's position when the present device started.
  private var devicePosition: Int64 = 0

  /// - Parameters:
  ///   - device: opened, not started.
  ///   - renderer: its rate and channels are the device's.
  package init(device: any AudioDevice, renderer: BlockRenderer, clock: any TimeSource) {
    self.device = device
    self.renderer = renderer
    self.clock = clock
    statistics = renderer.statistics
    standby = VirtualDevice(name: "standby", format: device.format, clock: clock)
    cardClock = CardClock(nominalRate: device.format.sampleRate)
  }

  /// Calls the callback on silence, then starts the device.
  ///
  /// - Throws: what the device says.
  package func start() throws {
    renderer.warmUp(frames: device.format.blockFrames, at: clock.now)
    try device.start()
    statistics.latencyFrames.store(device.outputLatencyFrames, ordering: .relaxed)
  }

  /// Waits for the next block and plays it, or deals with what came instead.
  package func cycle() {
    if let next = incoming.take() { takeOver(next) }
    switch device.wait() {
    case .waiting:
      break
    case .ready(let position):
      if let position {
        cardClock.observe(
          frame: devicePosition &+ position.frame, at: position.time, written: renderer.position)
      }
      exchange()
    case .recovered(let lostFrames):
      statistics.xruns.wrappingAdd(1, ordering: .relaxed)
      statistics.lostFrames.wrappingAdd(lostFrames, ordering: .relaxed)
      cardClock.restart()
      tell(.xrun(lostFrames: lostFrames))
    case .lost:
      let gone = device
      useStandby()
      retire(gone)
      tell(.lost)
    }
  }

  /// Ends the present device, with the audio thread gone or by itself.
  package func finish() {
    device.stop()
    device.close()
    incoming.take()?.close()
    outgoing.take()?.close()
  }

  private func exchange() {
    let frames = device.format.blockFrames
    if renderer.inputs > 0 {
      let input = UnsafeMutableBufferPointer(rebasing: renderer.input[..<(frames &* renderer.inputs)])
      if !device.read(input) { input.update(repeating: 0) }
    }
    let before = clock.now
    renderer.render(
      frames: frames, time: time(ofNextFrameFrom: before), nanosecondsPerFrame: cardClock.nanosecondsPerFrame,
      now: before, inputTime: renderer.inputs > 0 ? device.inputTime : nil)
    let spent = clock.now.seconds(since: before)
    _ = device.write(UnsafeBufferPointer(rebasing: renderer.output[..<(frames &* renderer.outputs)]))
    statistics.add(load: spent * renderer.sampleRate / Double(frames))
    statistics.driftPPM = cardClock.driftPPM
    statistics.latencyFrames.store(device.outputLatencyFrames, ordering: .relaxed)
  }

  /// When the next block's first frame reaches the ear; by the device's account until its clock is known.
  private func time(ofNextFrameFrom now: HostTime) -> HostTime {
    guard cardClock.hasStarted else {
      return now.advanced(bySeconds: Double(device.outputLatencyFrames) / renderer.sampleRate)
    }
    return cardClock.time(ofFrame: renderer.position)
  }

  private func takeOver(_ next: any AudioDevice) {
    let old = device
    old.stop()
    do {
      try next.start()
      device = next
      beginClock()
      if old !== standby { retire(old) }
      tell(.tookOver)
    } catch {
      retire(next)
      useStandby()
      if old !== standby { retire(old) }
      tell(.refused)
    }
  }

  private func useStandby() {
    device = standby
    standby.start()
    beginClock()
  }

  private func beginClock() {
    devicePosition = renderer.position
    cardClock.restart(nominalRate: device.format.sampleRate)
    statistics.latencyFrames.store(device.outputLatencyFrames, ordering: .relaxed)
  }

  private func retire(_ device: any AudioDevice) {
    // Whoever watches empties the place at every signal; should one still be there, it is closed here.
    outgoing.leave(device)?.close()
  }

  private func tell(_ event: Event) {
    events.push(event)
    signal.raise()
  }
}
