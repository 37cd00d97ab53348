import MoCore
import Synchronization

/// Moves blocks between the program's callback and a device, and keeps going whatever the device does.
///
/// One cycle a block: wait for the device, read its input, render, write. A device that goes is replaced on the
/// spot by a virtual one, and handed out for closing; another that is handed in takes over between two blocks.
///
/// A device with a thread of its own, as JACK's clients have, runs the exchange on that; the audio thread then waits,
/// and touches nothing of it until the device is stopped or lost.
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
  package let signal = WakeEvent()
  /// Devices on their way in.
  package let incoming = DeviceHandover()
  /// Devices on their way out, to be closed by an ordinary thread.
  package let outgoing = DeviceHandover()
  private let clock: any TimeSource
  private let standby: DeviceBox
  /// What plays, and the box that it is handed on in.
  private var box: DeviceBox
  private var device: any AudioDevice
  private var cardClock: CardClock
  /// The renderer's position when the present device started.
  private var devicePosition: Int64 = 0
  /// What the present device had reported of its input's clock.
  private var reportedInput = InputClockReport()
  /// What a device with a thread of its own calls there; made once, since making it allocates.
  private var turn: (AudioDeviceState) -> Void = { _ in }

  /// - Parameters:
  ///   - device: opened, not started.
  ///   - renderer: its rate and channels are the device's.
  package init(device: any AudioDevice, renderer: BlockRenderer, clock: any TimeSource) {
    box = DeviceBox(device)
    self.device = device
    self.renderer = renderer
    self.clock = clock
    statistics = renderer.statistics
    standby = DeviceBox(VirtualDevice(name: "standby", format: device.format, clock: clock))
    cardClock = CardClock(nominalRate: device.format.sampleRate)
    turn = { [unowned self] state in deal(with: state) }
  }

  /// Calls the callback on silence.
  package func warmUp() { renderer.warmUp(frames: device.format.blockFrames, at: clock.now) }

  /// Calls the callback on silence, then starts the device.
  ///
  /// - Throws: what the device says.
  package func start() throws {
    warmUp()
    try startWarm()
  }

  /// Starts the device, with the callback warm.
  ///
  /// - Throws: what the device says.
  package func startWarm() throws {
    noteDevice()
    try device.start(turn: turn)
    statistics.latencyFrames.store(device.outputLatencyFrames, ordering: .relaxed)
  }

  /// Waits for the next block and plays it, or deals with what came instead.
  package func cycle() {
    if let next = incoming.takeBox() { takeOver(next) }
    deal(with: device.wait())
  }

  private func deal(with state: AudioDeviceState) {
    switch state {
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
      noteDevice()
      tell(.xrun(lostFrames: lostFrames))
    case .lost:
      let gone = box
      useStandby()
      retire(gone)
      tell(.lost)
    }
  }

  /// Ends the present device, with the audio thread gone or by itself.
  package func finish() {
    device.stop()
    device.close()
    while let device = incoming.take() { device.close() }
    while let device = outgoing.take() { device.close() }
  }

  private func exchange() {
    let frames = device.format.blockFrames
    if renderer.inputs > 0 {
      let input = UnsafeMutableBufferPointer(rebasing: renderer.input[..<(frames &* renderer.inputs)])
      if !device.read(input) { input.update(repeating: 0) }
      if let report = device.inputClock {
        statistics.add(report, since: reportedInput)
        reportedInput = report
      }
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

  private func takeOver(_ next: DeviceBox) {
    let old = box
    device.stop()
    box = next
    device = next.device
    beginClock()
    do {
      try device.start(turn: turn)
      if old !== standby { retire(old) }
      tell(.tookOver)
    } catch {
      useStandby()
      // Two go at once: a thread that runs before all others must not close either.
      retire(next)
      if old !== standby { retire(old) }
      tell(.refused)
    }
  }

  private func useStandby() {
    box = standby
    device = standby.device
    try? device.start()
    beginClock()
  }

  private func beginClock() {
    reportedInput = InputClockReport()
    devicePosition = renderer.position
    cardClock.restart(nominalRate: device.format.sampleRate)
    statistics.latencyFrames.store(device.outputLatencyFrames, ordering: .relaxed)
    noteDevice()
  }

  /// Notes how the device that plays runs.
  private func noteDevice() {
    statistics.blockFrames.store(device.format.blockFrames, ordering: .relaxed)
    statistics.ownThread = device.ownThread
    statistics.hasInputClock.store(device.inputClock != nil, ordering: .relaxed)
    statistics.queuedFrames.store(device.queuedFrames, ordering: .relaxed)
    statistics.queueGrowths.store(device.queueGrowths, ordering: .relaxed)
  }

  private func retire(_ box: DeviceBox) {
    // The supervisor empties the places at every signal. If both are taken, the newer device is closed here.
    outgoing.leave(box)?.device.close()
  }

  private func tell(_ event: Event) {
    events.push(event)
    signal.raise()
  }
}
