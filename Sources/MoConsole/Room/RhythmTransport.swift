import MoCore
import MoInstruments
import MoOrchestra

/// The functions by which a console controls a rhythm: the console's own rhythm, or the rhythm of a room.
///
/// - Thread: any but the audio thread's callback.
package struct RhythmTransport: Sendable {
  package var state: @Sendable () -> Rhythm.State
  /// Returns the tempo, in beats per minute.
  package var tempo: @Sendable () -> Double
  package var start: @Sendable () -> Void
  package var stop: @Sendable () -> Void
  package var pause: @Sendable () -> Void
  package var resume: @Sendable () -> Void
  package var setTempo: @Sendable (Double) -> Void

  package init(
    state: @escaping @Sendable () -> Rhythm.State, tempo: @escaping @Sendable () -> Double,
    start: @escaping @Sendable () -> Void, stop: @escaping @Sendable () -> Void,
    pause: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void,
    setTempo: @escaping @Sendable (Double) -> Void
  ) {
    (self.state, self.tempo) = (state, tempo)
    (self.start, self.stop, self.pause, self.resume) = (start, stop, pause, resume)
    self.setTempo = setTempo
  }

  /// Creates the functions that control a local rhythm.
  package init(_ rhythm: Rhythm) {
    self.init(
      state: { rhythm.state }, tempo: { rhythm.tempo.beatsPerMinute }, start: { rhythm.start() },
      stop: { rhythm.stop() },
      pause: { rhythm.pause() }, resume: { rhythm.resume() }, setTempo: { rhythm.setTempo(Tempo($0)) })
  }
}

extension RhythmTransport {
  /// The functions that control the room's rhythm: `start` makes this member the conductor.
  ///
  /// If the room refuses an action, such as a change of the tempo, a notice is logged.
  static let room = RhythmTransport(
    state: { MoSession.announced.isPlaying ? .playing : .stopped },
    tempo: { MoSession.announced.tempo },
    start: { attempt { try MoSession.startRhythm() } },
    stop: { attempt { try stopAfterQuestion() } },
    pause: { MoLog.log(.notice, "a room's rhythm cannot pause: space stops it") },
    resume: {},
    setTempo: { tempo in attempt { try MoSession.setTempo(Tempo(tempo)) } })

  private static func attempt(_ body: () throws -> Void) {
    do { try body() } catch { MoLog.log(.notice, "\(error)") }
  }

  /// Stops the room's rhythm; in a room of several members without a conductor, only a second call stops it.
  ///
  /// The second call must come within 5 s of the first call, which only logs a notice. If a single call stopped the
  /// rhythm, a player could see "no conductor", want the baton, and stop the music for all by mistake.
  static func stopAfterQuestion() throws {
    let now = Run.current.clock.now
    let members = MoSession.members
    // A hidden conductor is not in the list of members.
    let isConducted =
      members.count < 2 || SessionServer.shared.read { core, now in core.conductor(at: now) != nil } == true
    let before = asked.withLock { asked in
      defer { asked = isConducted ? nil : now }
      return asked
    }
    guard !isConducted, before.map({ now.seconds(since: $0) > 5 }) ?? true else {
      return try MoSession.stopRhythm()
    }
    MoLog.log(
      .notice, "no member conducts: b takes the baton; the same key again within 5 s stops the rhythm for all"
    )
  }

  /// Takes the baton of the room, or asks the member that conducts for it.
  package static func takeOrAskForBaton() throws {
    do {
      try MoSession.takeBaton()
    } catch SessionRefusal.conducted(let name) {
      try MoSession.askForBaton()
      MoLog.log(.notice, "you asked \(MoSession.conductor ?? name) for the baton")
    }
  }

  private static let asked = Locked<HostTime?>(nil)
}
