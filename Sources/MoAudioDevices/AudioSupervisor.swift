import MoAudioEngine
import MoCore
import MoRuntime

/// Monitors the device during play, and notifies the program.
///
/// It opens a lost device again, follows changes of the default device, and closes replaced devices.
///
/// - Thread: any, but only one thread at a time; in real time the `mo-cards` thread.
package final class AudioSupervisor: @unchecked Sendable {
  // Unchecked: the thread that calls `service` owns the plain fields.
  private let target: AudioTarget
  private let engine: AudioEngine
  private let request: DeviceRequest
  private let opener: any DeviceOpener
  private let clock: any TimeSource
  private let notify: @Sendable (AudioEvent) -> Void
  private let warn: @Sendable (String) -> Void

  /// The ALSA name to play on; nil if the program wants no card.
  private var wantedName: String?
  /// The card or sound server to which `default` led when a card was last opened; nil if none is known.
  ///
  /// `DeviceOpener.currentDefault` returns this string.
  private var defaultCard: String?
  /// Whether `default` leads to another card than the playing card, and `service` still tries to open the other card.
  private var isFollowingDefault = false
  /// Whether a card plays, no card plays, or a card is about to take over.
  private var state: State
  /// The time at which the present card, or the last card, began to play.
  private var playingSince: HostTime
  /// The time before which `service` does not open a card again, unless cards were added or removed.
  private var nextAttempt = HostTime.zero
  /// The time from the last failure of a card to `nextAttempt`, in seconds; 0 before a failure.
  private var pause = 0.0
  /// The time until which a card must be opened with its input; later, the output plays alone if the input is busy.
  private var inputDeadline = HostTime.zero
  /// The reason why the last attempt to open a card failed; nil if the card was absent or busy.
  private var lastProblem: String?
  /// The texts of the warnings since a card last began to play, or since the start with the error of the start.
  private var warnings: Set<String> = []

  /// The time, in seconds, after which a card that plays counts as working: if it is lost later, `service` opens it
  /// again immediately.
  private static let steady = 10.0
  /// The time for which a card must be opened with its input after a loss or a change of the cards, in seconds.
  ///
  /// A sound server opens the input of a new card for a moment, and the system sets the rights of the input late.
  private static let inputWait = 10.0
  /// The shortest and the longest pause before a card that failed is opened again, in seconds.
  private static let pauses = 2.0...60

  enum State: Equatable {
    /// The card of this name plays.
    case playing(String)
    /// No card plays; if the program wants a card, `service` tries to open it.
    case away
    /// A card was passed to the engine, which has not reported yet whether this card plays.
    case handing(String, because: Reason)
  }

  enum Reason { case back, defaultChanged }

  /// Creates the supervisor of a device that `engine` plays on.
  ///
  /// - Parameters:
  ///   - playing: the name of the card that plays at the start; nil if a virtual device plays instead.
  ///   - request: the request of the program's start, with the format in which the program plays. A card that comes
  ///     back must have the same rate and channels.
  ///   - problem: the error with which the opening of the card failed at the start, which the program's user knows
  ///     already; nil if a card plays.
  ///   - clock: the host's clock, which determines the pauses between the attempts to open a card that fails.
  ///   - notify: receives the events for the program.
  ///   - warn: receives the reasons why a card that is there cannot be used.
  package init(
    target: AudioTarget, playing: String?, engine: AudioEngine, request: DeviceRequest,
    problem: (any Error)? = nil, opener: any DeviceOpener, clock: any TimeSource,
    notify: @escaping @Sendable (AudioEvent) -> Void,
    warn: @escaping @Sendable (String) -> Void = { MoLog.log(.warning, $0) }
  ) {
    self.target = target
    self.engine = engine
    self.request = DeviceRequest(
      format: request.format, isRateFixed: true, isBlockFixed: request.isBlockFixed)
    self.opener = opener
    self.clock = clock
    self.notify = notify
    self.warn = warn
    playingSince = clock.now
    if let problem { warnings = ["\(problem)"] }
    switch target {
    case .automatic: wantedName = "default"
    case .alsa(let name): wantedName = name
    case .virtual, .wav, .none: wantedName = nil
    }
    state = playing.map { .playing($0) } ?? .away
    if wantedName == "default" { defaultCard = opener.currentDefault() }
  }

  /// Whether to call `service` again soon without a signal: a busy card gives no signal when it becomes free.
  package var isWaitingForCard: Bool { wantedName != nil && (state == .away || isFollowingDefault) }

  /// Handles all events since the last call.
  ///
  /// A card that was lost soon after its start is opened again after a pause, since it would be lost again. Each such
  /// loss doubles the pause. If cards were added or removed, the pause ends.
  ///
  /// - Parameter cardsChanged: whether cards were added or removed since the last call.
  package func service(cardsChanged: Bool) {
    engine.signal.lower()
    while let event = engine.events.pop() { handle(event) }
    while let device = engine.outgoing.pop() { device.close() }
    guard let name = wantedName else { return }
    if cardsChanged {
      (pause, nextAttempt) = (0, .zero)
      waitForInput()
    }
    switch state {
    case .away where clock.now < nextAttempt:
      break
    case .away:
      open(name, because: .back)
    case .playing where (cardsChanged || isFollowingDefault) && name == "default":
      let current = opener.currentDefault()
      isFollowingDefault = current != nil && current != defaultCard
      if isFollowingDefault { open(name, because: .defaultChanged) }
    case .playing, .handing:
      break
    }
  }

  private func handle(_ event: AudioEngine.Event) {
    switch (event, state) {
    case (.xrun(let lostFrames), _):
      notify(.xrun(lostFrames: lostFrames))
    case (.lost, .playing(let name)):
      state = .away
      waitForInput()
      if clock.now.seconds(since: playingSince) < Self.steady { takePause() } else { pause = 0 }
      notify(.deviceLost(name: name))
    case (.tookOver, .handing(let name, let reason)):
      state = .playing(name)
      playingSince = clock.now
      (lastProblem, warnings) = (nil, [])
      notify(reason == .back ? .deviceBack(name: name) : .defaultChanged(name: name))
    case (.refused, .handing(let name, let reason)):
      state = .away
      takePause()
      // The card that was the default before no longer plays, either.
      if reason == .defaultChanged { notify(.deviceLost(name: wantedName ?? name)) }
      storeProblem(
        "\(name) can be opened, but does not start: unplug it and plug it in again, or choose another device "
          + "(--list-devices)")
    case (.inputFailed, .playing(let name)):
      warnOnce(
        "the input of \(name) fails again after each restart, so it is silent until it works: check its cable, "
          + "or choose another input (--audio OUTPUT+INPUT)")
    case (.lost, _), (.tookOver, _), (.refused, _), (.inputFailed, _):
      // The card was lost while another took over: the engine reports the other card next.
      break
    }
  }

  /// Sets `nextAttempt` after a failure of a card.
  private func takePause() {
    pause = min(max(2 * pause, Self.pauses.lowerBound), Self.pauses.upperBound)
    nextAttempt = clock.now.advanced(bySeconds: pause)
  }

  private func waitForInput() { inputDeadline = clock.now.advanced(bySeconds: Self.inputWait) }

  /// Tries to open a card and passes it to the engine.
  ///
  /// If the card cannot be used, the state stays unchanged, and the next `service` tries again.
  private func open(_ name: String, because reason: Reason) {
    var request = request
    request.needsInput = clock.now < inputDeadline
    let device: any AudioDevice
    do {
      device = try opener.open(name, wanted: request)
    } catch {
      return storeProblem((error as? AudioError)?.isOfAbsence == true ? nil : "\(error)")
    }
    // The program's rate and channels cannot change during play.
    let (has, needs) = (device.format, request.format)
    guard has.sampleRate == needs.sampleRate, has.inputs == needs.inputs, has.outputs == needs.outputs else {
      device.close()
      return storeProblem(
        "cannot play on \(name): it has \(has.summary), but the program plays with \(needs.summary); "
          + "start the program again")
    }
    defaultCard = opener.currentDefault()
    isFollowingDefault = false
    state = .handing(device.name, because: reason)
    engine.incoming.leave(device)?.close()
  }

  /// Warns of the reason why a card cannot be used, once until a card plays, if two attempts fail for this reason.
  ///
  /// After the first attempt, the reason may disappear by itself: the system sets the rights of a new card late. After
  /// the second attempt, `service` tries to follow `default` again only if the cards change: each attempt could disturb
  /// the other programs that use the card.
  private func storeProblem(_ reason: String?) {
    defer { lastProblem = reason }
    guard let reason, reason == lastProblem else { return }
    isFollowingDefault = false
    warnOnce(reason)
  }

  private func warnOnce(_ text: String) {
    if warnings.insert(text).inserted { warn(text) }
  }
}

extension AudioError {
  /// Whether the device is absent or busy, so that the program can only wait for it.
  fileprivate var isOfAbsence: Bool {
    switch self {
    case .noDevice, .busy, .noSoundServer, .noJACKServer: true
    default: false
    }
  }
}

extension AudioFormat {
  /// The rate and the channels as text, such as `48000 Hz, 2 outputs, 0 inputs`.
  fileprivate var summary: String { "\(Int(sampleRate)) Hz, \(outputs) outputs, \(inputs) inputs" }
}
