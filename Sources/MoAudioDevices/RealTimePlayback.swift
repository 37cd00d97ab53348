import CMoSystem
import MoAudioEngine
import MoCore
import Synchronization

/// Playback on a device: the audio thread that runs the engine, and the thread that monitors the cards.
final class RealTimePlayback: Playback {
  let renderer: BlockRenderer
  private let opened: AudioFormat
  private let name: Locked<String>
  private let engine: AudioEngine
  private let control = Control()
  private let clock: any TimeSource
  private let audioThread: MoThread
  private let cardsThread: MoThread

  /// The state that the audio thread shares with the thread that starts and stops the playback.
  private final class Control: Sendable {
    let isEnding = Atomic<Bool>(false)
    let isLocked = Atomic<Bool>(false)
    let grant = Locked<RealTimeGrant?>(nil)
    let started = WakeEvent()
    let failure = Locked<(any Error)?>(nil)
  }

  /// The size of the audio thread's stack, in bytes; the callback runs on this stack, and all of it is locked in
  /// memory.
  private static let stackBytes = 256 * 1024
  /// The longest time that `stop` waits until the fade has been heard, in seconds.
  private static let longestEnding = 0.5

  /// Starts the playback.
  ///
  /// - Parameters:
  ///   - device: an opened device; the playback closes it, also if `init` throws.
  ///   - request: the request for which `device` was opened.
  ///   - target: the requested target, which the supervisor opens again if the card was lost.
  ///   - playing: the name of the card that plays; nil if `device` is virtual or writes a file.
  ///   - problem: the error of the card in whose place `device` plays, if a notice has reported it; else nil.
  /// - Throws: the device's error at its start, or `AudioError.noThread`.
  init(
    device: any AudioDevice, request: DeviceRequest, renderer: BlockRenderer, target: AudioTarget,
    playing: String?, problem: (any Error)?, opener: any DeviceOpener, clock: any TimeSource,
    notify: @escaping @Sendable (AudioEvent) -> Void
  ) throws {
    self.renderer = renderer
    self.clock = clock
    opened = device.format
    name = Locked(device.name)
    let engine = AudioEngine(device: device, renderer: renderer, clock: clock)
    self.engine = engine
    var request = request
    request.format = device.format
    let supervisor = AudioSupervisor(
      target: target, playing: playing, engine: engine, request: request, problem: problem, opener: opener,
      clock: clock, notify: notify)
    let control = control
    do {
      audioThread = try MoThread(
        name: "mo-audio", stackBytes: RealTimePlayback.stackBytes
      ) { _ in RealTimePlayback.play(engine, control, clock) }
    } catch {
      engine.finish()
      throw AudioError.noThread(reason: "\(error)")
    }
    control.started.wait(for: nil)
    if let failure = control.failure.withLock({ $0 }) {
      audioThread.join()
      throw failure
    }
    do {
      cardsThread = try MoThread(name: "mo-cards") { thread in
        RealTimePlayback.watch(engine, with: supervisor, opener, thread)
      }
    } catch {
      control.isEnding.store(true, ordering: .releasing)
      audioThread.join()
      throw AudioError.noThread(reason: "\(error)")
    }
  }

  /// The format of the present device; a device that replaces it has the same rate and channels, but its own block
  /// length.
  var format: AudioFormat {
    var format = opened
    let frames = renderer.statistics.blockFrames.load(ordering: .relaxed)
    if frames > 0 { format.blockFrames = frames }
    return format
  }

  var deviceName: String { name.withLock { $0 } }

  /// Changes `deviceName` to the name of the device that plays now.
  func renamed(_ device: String) { name.withLock { $0 = device } }

  var shortcomings: [String] {
    var missing: [String] = []
    switch (renderer.statistics.ownThread, control.grant.withLock { $0 }) {
    case (.ordinary, _):
      missing.append(
        "the server's own thread has no real-time priority, so other programs may make it crackle: "
          + "start the server with one (jackd --realtime)")
    case (.none, .refused(let reason)?):
      missing.append(
        "the audio thread has no real-time priority, so other programs may make it crackle (\(reason)): "
          + "sudo apt install rtkit, or sudo usermod -aG audio $USER, then "
          + "echo '@audio - rtprio 95' | sudo tee /etc/security/limits.d/audio.conf, and log in again")
    default: break
    }
    if momu_thread_overruns() > 0 {
      missing.append(
        "the callback took the processor for \(RealTimeGrant.longestRun / 1000) ms without a break, so its thread lost "
          + "its real-time priority: make it do less, then start the program again")
    }
    if !control.isLocked.load(ordering: .acquiring) {
      missing.append(
        "the audio thread's memory may be swapped out: "
          + "echo '@audio - memlock 65536' | sudo tee -a /etc/security/limits.d/audio.conf, and log in again")
    }
    return missing
  }

  var rights: String {
    switch (renderer.statistics.ownThread, control.grant.withLock { $0 }) {
    case (.realTime, _): "the server's real-time thread"
    case (.ordinary, _): "the server's thread, without real-time priority"
    case (.none, .limits(let priority)?): "real-time priority \(priority), by the limits"
    case (.none, .rtkit(let priority)?): "real-time priority \(priority), by rtkit"
    case (.none, _): "no real-time priority"
    }
  }

  func stop() {
    control.isEnding.store(true, ordering: .releasing)
    cardsThread.cancel()
    engine.signal.raise()
    // The callback itself cannot wait: the thread fades and ends by itself, and the engine releases the device.
    if audioThread.isCurrent || renderer.isCurrent { return }
    audioThread.join()
    cardsThread.join()
    engine.finish()
  }

  /// The body of the audio thread: starts the device, runs the engine until `stop`, and fades out.
  private static func play(_ engine: AudioEngine, _ control: Control, _ clock: any TimeSource) {
    momu_flush_denormals()
    let stackIsLocked = momu_thread_lock_stack() == 0
    control.isLocked.store(engine.renderer.lockMemory() && stackIsLocked, ordering: .releasing)
    do {
      // The first calls may be slow, and must not count as a run without a break.
      engine.warmUp()
      let grant = MoThread.askForPriority(.audio)
      control.grant.withLock { $0 = grant }
      try engine.startWarm()
    } catch {
      control.failure.withLock { $0 = error }
      engine.finish()
      control.started.raise()
      return
    }
    control.started.raise()
    while !control.isEnding.load(ordering: .acquiring) { engine.cycle() }
    fadeOut(engine, clock)
  }

  /// Fades the output to silence, and returns when the silence is heard, or after `longestEnding` seconds.
  private static func fadeOut(_ engine: AudioEngine, _ clock: any TimeSource) {
    let renderer = engine.renderer
    renderer.gain.store(0, ordering: .relaxed)
    let deadline = clock.now.advanced(bySeconds: longestEnding)
    while !renderer.isSettled && clock.now < deadline { engine.cycle() }
    let silent = renderer.position + Int64(engine.statistics.latencyFrames.load(ordering: .relaxed))
    while renderer.position < silent && clock.now < deadline { engine.cycle() }
  }

  /// The body of the `mo-cards` thread: calls the supervisor after events of the engine and changes of the cards.
  ///
  /// While a lost or busy card is awaited, the thread also calls the supervisor every two seconds.
  private static func watch(
    _ engine: AudioEngine, with supervisor: AudioSupervisor, _ opener: any DeviceOpener,
    _ thread: MoThread.Body
  ) {
    while !thread.isCancelled {
      var requests = [pollfd(fd: engine.signal.descriptor, events: Int16(POLLIN), revents: 0)]
      if let changes = opener.changes {
        requests.append(pollfd(fd: changes, events: Int16(POLLIN), revents: 0))
      }
      // A busy card becomes free without notice, so this tries every two seconds.
      let timeout: Int64 = supervisor.isWaitingForCard ? 2_000_000_000 : -1
      let ready = momu_poll(&requests, UInt(requests.count), timeout)
      let cardsChanged = ready > 0 && requests.count > 1 && requests[1].revents != 0
      if cardsChanged { opener.drainChanges() }
      supervisor.service(cardsChanged: cardsChanged)
    }
  }
}
