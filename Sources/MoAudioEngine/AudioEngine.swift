import MoCore
import Synchronization

/// Moves blocks between the program's callback and a device, and keeps running if the device fails.
///
/// Each block takes a cycle: wait for the device, read its input, render, write. A lost device is replaced immediately
/// by a virtual one, and left in `outgoing` to be closed. A device in `incoming` takes over between two blocks.
///
/// A device with its own thread, such as a JACK client, runs the cycles on that thread. Until the device is stopped or
/// lost, the audio thread only waits, and does not access the state of the cycles.
///
/// - Thread: the audio thread runs `cycle`; handovers, flags and statistics may be used from any thread.
package final class AudioEngine: @unchecked Sendable {
  // Unchecked: the thread that runs the cycles owns the device, clock and renderer.

  /// An event for observers; small enough for a queue.
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
  /// Devices to take over.
  package let incoming = DeviceHandover()
  /// Devices for an ordinary thread to close.
  package let outgoing = DeviceHandover()
  private let clock: any TimeSource
  private let standby: DeviceBox
  /// The box of the present device, kept for its handover.
  private var box: DeviceBox
  private var device: any AudioDevice
  private var cardClock: CardClock
  /// The renderer's position at the start of the present device.
  private var devicePosition: Int64 = 0
  /// The last report of the present device about its input's clock.
  private var reportedInput = InputClockReport()
  /// The function that a device calls on its own thread; created once, as its creation allocates.
  private var turn: (AudioDeviceState) -> Void = { _ in }

  /// - Parameters:
  ///   - device: opened, not started.
  ///   - renderer: has the device's rate and channels.
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
  /// - Throws: the device's error.
  package func start() throws {
    warmUp()
    try startWarm()
  }

  /// Starts the device after the callback has been warmed up.
  ///
  /// - Throws: the device's error.
  package func startWarm() throws {
    noteDevice()
    try device.start(turn: turn)
    statistics.latencyFrames.store(device.outputLatencyFrames, ordering: .relaxed)
  }

  /// Waits for the next block and plays it, or handles another event.
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

  /// Stops and closes all devices, after the audio thread has ended or on it.
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

  /// Returns the time at which the next block's first frame is heard.
  ///
  /// Until the card's clock is known, the result is computed from the device's latency.
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
      // Two devices leave at the same time: a real-time thread must not close either.
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

  /// Records the properties of the present device.
  private func noteDevice() {
    statistics.blockFrames.store(device.format.blockFrames, ordering: .relaxed)
    statistics.ownThread = device.ownThread
    statistics.hasInputClock.store(device.inputClock != nil, ordering: .relaxed)
    statistics.queuedFrames.store(device.queuedFrames, ordering: .relaxed)
    statistics.queueGrowths.store(device.queueGrowths, ordering: .relaxed)
  }

  private func retire(_ box: DeviceBox) {
    // The supervisor empties the places at every signal. If both are in use, the newer device is closed here.
    outgoing.leave(box)?.device.close()
  }

  private func tell(_ event: Event) {
    events.push(event)
    signal.raise()
  }
}
