import MoCore
import Synchronization

/// The transport of blocks between the program's callback and a device; it continues if the device fails.
///
/// Each block takes a cycle: wait for the device, read its input, render, write. A lost device is replaced immediately
/// by a virtual device, and put into `outgoing` to be closed. A device in `incoming` takes over between two blocks.
///
/// A device with its own thread, such as a JACK client, runs the cycles on that thread. Until the device is stopped or
/// lost, the audio thread only waits, and does not access the state of the cycles.
///
/// - Thread: the audio thread runs `cycle`; any thread may use `incoming`, `outgoing`, `signal` and `statistics`.
package final class AudioEngine: @unchecked Sendable {
  // Unchecked: the thread that runs the cycles owns the device, clock and renderer.

  /// An event that the audio thread reports through the queue `events`.
  package enum Event: BitwiseCopyable, Sendable {
    case xrun(lostFrames: Int)
    case lost
    case tookOver
    case refused
    /// Input with its own clock fails again after each restart, so it is silent.
    case inputFailed
  }

  package let renderer: BlockRenderer
  package let statistics: AudioStatistics
  package let events = MoQueue<Event>(capacity: 256)
  /// The signal that is raised after each new element of `events`.
  package let signal = WakeEvent()
  /// Opened devices that wait to take over from the present device.
  package let incoming = DeviceHandover()
  /// Lost or replaced devices that wait for an ordinary thread to close them.
  package let outgoing = DeviceHandover()
  private let clock: any TimeSource
  private let standby: DeviceBox
  /// The box of the present device, which goes into `outgoing` with the device, so that no other box must be allocated.
  private var box: DeviceBox
  private var device: any AudioDevice
  private var cardClock: CardClock
  /// The number of rendered frames that the present device does not count: the frames rendered before its start, and
  /// the blocks that it refused.
  private var devicePosition: Int64 = 0
  /// The last report of the present device about its input's clock.
  private var reportedInput = InputClockReport()
  /// The function `turn` that a device calls on its own thread; created once, as the creation of a closure allocates.
  private var turn: (AudioDeviceState) -> Void = { _ in }

  /// - Parameters:
  ///   - device: a device that is open but not started.
  ///   - renderer: a renderer with the device's rate and numbers of channels.
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

  /// Calls the callback once with silent input, so that the callback's first allocations happen before the device runs.
  package func warmUp() { renderer.warmUp(frames: device.format.blockFrames, at: clock.now) }

  /// Calls the callback once with silent input, then starts the device.
  ///
  /// - Throws: the error of the device's `start`.
  package func start() throws {
    warmUp()
    try startWarm()
  }

  /// Starts the device; call `warmUp` before.
  ///
  /// - Throws: the error of the device's `start`.
  package func startWarm() throws {
    storeDeviceState()
    try device.start(turn: turn)
    statistics.latencyFrames.store(device.outputLatencyFrames, ordering: .relaxed)
  }

  /// Waits for the device, then plays the next block, or handles an xrun or the loss of the device.
  ///
  /// If there is a device in `incoming`, that device takes over first.
  package func cycle() {
    if let next = incoming.popBox() { takeOver(next) }
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
      storeDeviceState()
      // A change of the device must always have room in the queue; `statistics` counts each xrun.
      if events.count < 192 { notify(.xrun(lostFrames: lostFrames)) }
    case .lost:
      let gone = box
      useStandby()
      retire(gone)
      notify(.lost)
    }
  }

  /// Stops the present device and closes all devices; called on the audio thread, or after that thread has ended.
  package func finish() {
    device.stop()
    device.close()
    while let device = incoming.pop() { device.close() }
    while let device = outgoing.pop() { device.close() }
  }

  private func exchange() {
    let frames = device.format.blockFrames
    if renderer.inputs > 0 {
      let input = UnsafeMutableBufferPointer(rebasing: renderer.input[..<(frames &* renderer.inputs)])
      if !device.read(input) { input.update(repeating: 0) }
      if let report = device.inputClock {
        statistics.add(report, since: reportedInput)
        if report.isFailing, !reportedInput.isFailing, events.count < 192 { notify(.inputFailed) }
        reportedInput = report
      }
    }
    let before = clock.now
    renderer.render(
      frames: frames, time: time(ofNextFrameFrom: before), nanosecondsPerFrame: cardClock.nanosecondsPerFrame,
      now: before, inputTime: renderer.inputs > 0 ? device.inputTime : nil)
    let spent = clock.now.seconds(since: before)
    if !device.write(UnsafeBufferPointer(rebasing: renderer.output[..<(frames &* renderer.outputs)])) {
      // The device does not count a refused block, but the renderer has. The next block takes its place on the device.
      devicePosition &+= Int64(frames)
    }
    statistics.add(load: spent * renderer.sampleRate / Double(frames))
    statistics.driftPPM = cardClock.driftPPM
    statistics.latencyFrames.store(device.outputLatencyFrames, ordering: .relaxed)
  }

  /// Returns the time at which the next block's first frame is heard.
  ///
  /// Until the device has reported its first position, the result is computed from the device's latency.
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
      notify(.tookOver)
    } catch {
      useStandby()
      // Two devices leave at the same time: a real-time thread must not close either.
      retire(next)
      if old !== standby { retire(old) }
      notify(.refused)
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
    storeDeviceState()
  }

  /// Copies the properties of the present device, such as its block length, into `statistics`.
  private func storeDeviceState() {
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

  private func notify(_ event: Event) {
    events.push(event)
    signal.raise()
  }
}
