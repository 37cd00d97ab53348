import MoAudioEngine
import MoCore

/// Looks after the device while the audio thread plays: brings back one that went, follows the default one,
/// closes old ones, and tells the program.
///
/// - Thread: one at a time; in real time the `mo-cards` thread.
final class AudioSupervisor: @unchecked Sendable {
  // Unchecked: the plain fields belong to the thread that services.
  private let target: AudioTarget
  private let engine: AudioEngine
  private let format: AudioFormat
  private let opener: any DeviceOpener
  private let tell: @Sendable (AudioEvent) -> Void

  /// The ALSA name to play on; nil where the program wants no card.
  private var wantedName: String?
  /// The default card that plays, or played last.
  private var defaultCard: String?
  /// What plays, or is on its way in.
  private var state: State

  enum State: Equatable {
    /// A card plays.
    case playing(String)
    /// No card plays; one is wanted.
    case away
    /// A card was handed to the engine and has not reported.
    case handing(String, because: Reason)
  }

  enum Reason { case back, defaultChanged }

  /// - Parameters:
  ///   - playing: the card's name that plays at the start, nil where a virtual device stands in for one.
  ///   - format: what the program runs at; a card that comes back must give the same.
  init(
    target: AudioTarget, playing: String?, engine: AudioEngine, format: AudioFormat,
    opener: any DeviceOpener, tell: @escaping @Sendable (AudioEvent) -> Void
  ) {
    self.target = target
    self.engine = engine
    self.format = format
    self.opener = opener
    self.tell = tell
    switch target {
    case .automatic: wantedName = "default"
    case .alsa(let name): wantedName = name
    case .virtual, .wav, .none: wantedName = nil
    }
    state = playing.map { .playing($0) } ?? .away
    if wantedName == "default" { defaultCard = opener.currentDefault() }
  }

  /// Whether it should be serviced again soon even if nothing is signalled: a busy card becomes free unseen.
  var isWaitingForCard: Bool { wantedName != nil && state == .away }

  /// Deals with all that has happened.
  ///
  /// - Parameter cardsChanged: whether cards have come or gone since the last time.
  func service(cardsChanged: Bool) {
    engine.signal.lower()
    while let event = engine.events.pop() { handle(event) }
    while let device = engine.outgoing.take() { device.close() }
    guard let name = wantedName else { return }
    switch state {
    case .away:
      open(name, because: .back)
    case .playing where cardsChanged && name == "default":
      let current = opener.currentDefault()
      if let current, current != defaultCard { open(name, because: .defaultChanged) }
    case .playing, .handing:
      break
    }
  }

  private func handle(_ event: AudioEngine.Event) {
    switch (event, state) {
    case (.xrun(let lostFrames), _):
      tell(.xrun(lostFrames: lostFrames))
    case (.lost, .playing(let name)):
      state = .away
      tell(.deviceLost(name: name))
    case (.tookOver, .handing(let name, let reason)):
      state = .playing(name)
      tell(reason == .back ? .deviceBack(name: name) : .defaultChanged(name: name))
    case (.refused, .handing):
      state = .away
    case (.lost, _), (.tookOver, _), (.refused, _):
      // The card went while another was on its way in: the engine reports that one next.
      break
    }
  }

  /// Tries to open the card; failing is usual, it may be away or busy, and is tried again.
  private func open(_ name: String, because reason: Reason) {
    guard let device = try? opener.open(name, wanted: DeviceRequest(format: format, isRateFixed: true)) else {
      return
    }
    // The program's rate and channels cannot change while it plays.
    guard device.format.sampleRate == format.sampleRate, device.format.inputs == format.inputs,
      device.format.outputs == format.outputs
    else { return device.close() }
    defaultCard = opener.currentDefault()
    state = .handing(device.name, because: reason)
    engine.incoming.leave(device)?.close()
  }
}
