import Glibc
import MoAudioEngine
import MoCore
import MoRuntime
import Synchronization

/// The implementation of `MoAudio`: starts and stops sound.
///
/// - Thread: any, except the audio callback.
package final class AudioServer: Sendable {
  /// The server that `MoAudio` uses.
  package static let shared = AudioServer(opener: SystemDeviceOpener())

  package let events = CallbackList<AudioEvent>()
  private let opener: any DeviceOpener
  /// The lock that a thread holds while it starts or stops the sound.
  private let lifecycle = MoMutex()
  private let playbacks = Locked(Playbacks())
  private let muted = Atomic<Bool>(false)
  private let levelBits = Atomic<UInt32>(Float(1).bitPattern)
  private let roomMuted = Atomic<Bool>(false)
  private let roomLevelBits = Atomic<UInt32>(Float(1).bitPattern)
  /// The lock that a thread holds while it computes and applies the gain; a change by another thread is then not lost.
  private let gainLock = MoMutex()
  private let spacing = Atomic<Bool>(true)
  private let endings = Locked<[@Sendable () -> Void]>([])

  private struct Playbacks {
    var present: (any Playback)?
    /// The playback that a thread stops at this moment.
    var ending: (any Playback)?
    /// The threads that run event callbacks at this moment; the thread that stops the sound waits for them.
    var callers: Set<pthread_t> = []

    /// Whether the thread that stops the sound waits for the calling thread.
    var isWaitedFor: Bool { ending != nil && callers.contains(pthread_self()) }

    mutating func takePresent() -> (any Playback)? {
      guard let present else { return nil }
      (self.present, ending) = (nil, present)
      return present
    }
  }

  package init(opener: any DeviceOpener) { self.opener = opener }

  /// The present playback, also while it fades out; nil while the sound is stopped.
  package var playback: (any Playback)? { playbacks.withLock { $0.present ?? $0.ending } }

  /// Returns every device that `--audio` accepts on this machine.
  package func devices() -> [NamedDevice] {
    opener.devices() + [
      NamedDevice(
        name: "virtual", about: "silence, at the pace of a card; ?latency=43&burst=1024 as through a server",
        isReal: false),
      NamedDevice(
        name: "wav:FILE", about: "a WAV file; ?latency=43&burst=1024&ppm=100 as above", isReal: false),
      NamedDevice(name: "none", about: "no sound at all", isReal: false),
    ]
  }

  /// Starts the sound.
  ///
  /// - Throws: `AudioError`, or the error of the card's opener.
  package func start(_ settings: AudioSettings, in run: Run, _ callback: @escaping BlockRenderer.Callback)
    throws
  {
    guard acquireLifecycle() else { throw AudioError.alreadyRunning }
    defer { lifecycle.release() }
    guard playback == nil else { throw AudioError.alreadyRunning }
    // The command line overrides the program's choice of device and format.
    let settings = settings.overridden(by: run.options)
    let wanted = try settings.validated()
    let target = try AudioTarget(settings.device)
    guard target != .none else { return }
    if case .wav = target, wanted.outputs == 0 {
      throw AudioError.outOfRange(
        what: "outputs of", value: "0", wants: "1 to 64 channels for a WAV file; or use the device virtual")
    }
    let playback =
      run.frameClock == nil
      ? try startRealTime(target, wanted, run, callback) : try startOffline(target, wanted, run, callback)
    playback.renderer.spacesEvenly.store(spacesEvenly, ordering: .relaxed)
    playbacks.withLock { $0.present = playback }
    applyGain()
  }

  /// Registers a function to run once, at the next `stop`, even if no sound plays then.
  package func atStop(_ body: @escaping @Sendable () -> Void) { endings.withLock { $0.append(body) } }

  /// Fades out and stops the sound, if it plays; then runs the functions that `atStop` registered.
  package func stop() {
    halt()
    let bodies = endings.withLock { endings in
      defer { endings = [] }
      return endings
    }
    // Called after the lifecycle's lock is released: they may start sound again.
    for body in bodies { body() }
  }

  private func halt() {
    guard acquireLifecycle() else { return }
    defer { lifecycle.release() }
    guard let taken = playbacks.withLock({ $0.takePresent() }) else { return }
    taken.stop()
    playbacks.withLock { $0.ending = nil }
  }

  /// Acquires `lifecycle`; returns false if the thread that holds it stops the sound and waits for the calling thread.
  private func acquireLifecycle() -> Bool {
    while !lifecycle.tryAcquire() {
      if playbacks.withLock({ $0.isWaitedFor }) { return false }
      SystemClock().sleep(until: SystemClock().now.advanced(bySeconds: 0.001))
    }
    return true
  }

  /// Whether the program mutes the output.
  package var isMuted: Bool {
    get { muted.load(ordering: .relaxed) }
    set {
      muted.store(newValue, ordering: .relaxed)
      applyGain()
    }
  }

  /// The level that the program sets, 0…1.
  ///
  /// While the output is not muted, the gain is the square of the product of `level` and `roomLevel`.
  package var level: Float {
    get { Float(bitPattern: levelBits.load(ordering: .relaxed)) }
    set {
      levelBits.store(AudioServer.bits(ofLevel: newValue), ordering: .relaxed)
      applyGain()
    }
  }

  /// Whether a room mutes the output.
  package var isRoomMuted: Bool {
    get { roomMuted.load(ordering: .relaxed) }
    set {
      roomMuted.store(newValue, ordering: .relaxed)
      applyGain()
    }
  }

  /// The level that a room sets, 0…1.
  package var roomLevel: Float {
    get { Float(bitPattern: roomLevelBits.load(ordering: .relaxed)) }
    set {
      roomLevelBits.store(AudioServer.bits(ofLevel: newValue), ordering: .relaxed)
      applyGain()
    }
  }

  /// Whether strikes sound with the spacing in time with which they were played; see `MoAudio.spacesEvenly`.
  var spacesEvenly: Bool {
    get { spacing.load(ordering: .relaxed) }
    set {
      spacing.store(newValue, ordering: .relaxed)
      playback?.renderer.spacesEvenly.store(newValue, ordering: .relaxed)
    }
  }

  private static func bits(ofLevel level: Float) -> UInt32 {
    (level.isNaN ? 0 : max(0, min(level, 1))).bitPattern
  }

  /// The factor by which the output is multiplied, 0…1.
  package var gain: Float {
    let product = level * roomLevel
    return isMuted || isRoomMuted ? 0 : product * product
  }

  private func applyGain() {
    gainLock.withLock { playback?.renderer.gain.store(gain.bitPattern, ordering: .relaxed) }
  }

  private func startOffline(
    _ target: AudioTarget, _ wanted: AudioFormat, _ run: Run, _ callback: @escaping BlockRenderer.Callback
  ) throws -> any Playback {
    let path: String?
    var card = SimulatedCard()
    switch target {
    case .wav(let file, let its): (path, card) = (file, its)
    case .virtual(let its): (path, card) = (nil, its)
    case .alsa(let name): throw AudioError.notOffline(name: name)
    case .automatic, .none: path = nil
    }
    if let ppm = card.ppm {
      throw AudioError.notOffline(name: "\(path.map { "wav:\($0)" } ?? "virtual")?ppm=\(ppm)")
    }
    run.frameClock?.change(sampleRate: wanted.sampleRate)
    return try OfflinePlayback(path: path, format: wanted, card: card, renderer: renderer(wanted, callback))
  }

  private func startRealTime(
    _ target: AudioTarget, _ wanted: AudioFormat, _ run: Run, _ callback: @escaping BlockRenderer.Callback
  ) throws -> any Playback {
    let notify: @Sendable (AudioEvent) -> Void = { [weak self] event in self?.handle(event, run) }
    let request = DeviceRequest(
      format: wanted, isRateFixed: run.options.rate != nil, isBlockFixed: run.options.block != nil)
    let device: any AudioDevice
    var playing: String?
    var problem: (any Error)?
    switch target {
    case .virtual(let card):
      device = VirtualDevice(format: wanted, clock: run.clock, card: card)
    case .none:
      device = VirtualDevice(format: wanted, clock: run.clock)
    case .wav(let path, let card):
      device = try WavDevice(path: path, format: wanted, clock: run.clock, card: card) {
        notify(.recordingEnded(reason: $0.description))
      }
    case .alsa(let name):
      device = try opener.open(name, wanted: request)
      playing = name
    case .automatic:
      do {
        device = try opener.open("default", wanted: request)
        playing = "default"
      } catch {
        device = VirtualDevice(format: wanted, clock: run.clock)
        problem = error
        run.notice(AudioServer.substituteNotice(error))
      }
    }
    return try RealTimePlayback(
      device: device, request: request, renderer: renderer(device.format, callback), target: target,
      playing: playing, problem: problem, opener: opener, clock: run.clock, notify: notify)
  }

  private func renderer(_ format: AudioFormat, _ callback: @escaping BlockRenderer.Callback) -> BlockRenderer
  {
    BlockRenderer(format: format, statistics: AudioStatistics(), gain: gain, callback: callback)
  }

  /// Returns the notice that says why `default` cannot be opened, and how to choose a device.
  package static func substituteNotice(_ error: any Error) -> String {
    let how =
      "To choose a device, add --audio DEVICE (--list-devices lists them); to write a file, --audio wav:out.wav."
    if case AudioError.noDevice(_, let others) = error, others.isEmpty {
      return "No sound card found: the program runs without sound. \(how)"
    }
    return "The sound card cannot be used (\(error)): until it can, the program runs without sound. \(how)"
  }

  /// Prints a notice about an event, updates the name of the playing device, and passes the event to the program.
  ///
  /// - Thread: `mo-cards` or `mo-disk`.
  private func handle(_ event: AudioEvent, _ run: Run) {
    let playback = playback as? RealTimePlayback
    switch event {
    case .xrun: break
    case .deviceLost(let name):
      playback?.renamed("virtual")
      run.notice("\(name) went away: playing without sound until it is back.")
    case .deviceBack(let name):
      playback?.renamed(name)
      run.notice("Playing on \(name).")
    case .defaultChanged(let name):
      playback?.renamed(name)
      run.notice("The default sound device has changed: playing on \(name).")
    case .recordingEnded(let reason):
      MoLog.log(.warning, reason)
    }
    let thread = pthread_self()
    playbacks.withLock { _ = $0.callers.insert(thread) }
    events.call(event)
    playbacks.withLock { _ = $0.callers.remove(thread) }
  }
}
