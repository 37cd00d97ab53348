import MIDICore
import MoCore
import MoMu

/// A local rhythm for playing alone: it starts, stops, pauses and changes its tempo.
///
/// The property `beat` is a `BeatClock`, as in a session. So everything that follows a `BeatClock` can follow a
/// local rhythm or a session.
///
/// ```swift
/// let rhythm = Rhythm(tempo: 96)
/// rhythm.start()
/// rhythm.setTempo(132, over: 16)  // within sixteen beats
/// ```
/// A change without the argument `at` takes effect as soon as it can be heard: after the output latency plus a block
/// plus about 10 ms. If the sound does not run yet, the change takes effect after 50 ms. If the output latency is
/// longer than 50 ms, start the sound before the rhythm.
///
/// - Thread: any but the audio thread's callback, which may read only `beat`.
public final class Rhythm: Sendable {
  /// The state of a rhythm.
  public enum State: Sendable, Equatable {
    /// The rhythm is stopped; a start begins at bar 1.
    case stopped
    /// The rhythm runs.
    case playing
    /// The rhythm is paused; `resume` continues from the same beat.
    case paused
  }

  private struct Playback {
    var timeline: Timeline
    var state = State.stopped
  }

  private let playback: Locked<Playback>
  private let latest: LatestValue<BeatClock>
  private let clock: any TimeSource
  private let lead: @Sendable () -> Double

  /// Creates a stopped rhythm.
  ///
  /// - Parameters:
  ///   - tempo: the tempo of the first start.
  ///   - meter: the meter.
  public convenience init(tempo: Tempo = 120, meter: Meter = .common) {
    let run = Run.current
    let unknown = run.isOffline ? 0 : 0.05
    self.init(tempo: tempo, meter: meter, clock: run.clock) {
      let lead = MoAudio.soundLead
      return lead > 0 ? lead + unknown / 5 : unknown
    }
  }

  /// Creates a rhythm with its own clock, for tests and renderers.
  ///
  /// - Parameter lead: returns the delay, in seconds, of a change without the argument `at`; called for each such
  ///   change.
  package init(
    tempo: Tempo = 120, meter: Meter = .common, clock: any TimeSource,
    lead: @escaping @Sendable () -> Double = { 0 }
  ) {
    self.clock = clock
    self.lead = lead
    let rest = Timeline(
      BeatSegment(
        start: SessionTime(nanoseconds: clock.now.nanoseconds), beat: 0, tempo: tempo.beatsPerMinute,
        isPlaying: false, meter: meter, soundsFrom: 0))
    playback = Locked(Playback(timeline: rest))
    latest = LatestValue(BeatClock(alone: rest))
  }

  /// The beat of this rhythm, for everything that plays in time with it.
  ///
  /// - Real-time safe: yes.
  public var beat: BeatClock { latest.load() }

  /// The state after all requested changes, also those that do not sound yet.
  public var state: State { playback.withLock { $0.state } }

  /// The tempo after all requested changes; while stopped, the tempo of the next start.
  ///
  /// During a gradual change, the value is the tempo at this moment. `beat.tempo(at:)` returns the tempo that sounds.
  public var tempo: Tempo { playback.withLock { $0.timeline.last.tempo(at: now) } }

  /// Starts the rhythm from bar 1; a running rhythm starts again from bar 1.
  ///
  /// - Parameters:
  ///   - time: the time at which bar 1, or the count-in before it, begins (default: as soon as it can be heard).
  ///   - countIn: the number of count-in bars, clamped to 0 … 8.
  public func start(at time: HostTime? = nil, countIn: Int = 0) {
    change(at: time, to: .playing) { timeline, moment, _ in
      let last = timeline.segment(at: moment)
      return Timeline.beginning(
        at: moment, tempo: last.endTempo, meter: last.meter, countIn: countIn, take: timeline.take &+ 1,
        after: last)
    }
  }

  /// Stops the rhythm; the next start begins at bar 1.
  public func stop(at time: HostTime? = nil) { halt(at: time, to: .stopped) }

  /// Pauses the beat; `resume` continues from the same beat.
  ///
  /// If the rhythm is not running, `pause` has no effect.
  public func pause(at time: HostTime? = nil) {
    if state == .playing { halt(at: time, to: .paused) }
  }

  /// Continues the rhythm from the beat at which it was paused; has no effect unless the rhythm is paused.
  public func resume(at time: HostTime? = nil) {
    guard state == .paused else { return }
    change(at: time, to: .playing) { timeline, moment, _ in
      let standing = timeline.segment(at: moment)
      var going = standing
      going.start = moment
      going.beat = standing.beat(at: moment)
      going.isPlaying = true
      return Timeline(standing, next: going, take: timeline.take)
    }
  }

  /// Changes the tempo.
  ///
  /// - Parameters:
  ///   - tempo: the tempo after the change.
  ///   - beats: the length of the change in beats; 0 for an immediate change. A gradual change is linear in time.
  ///   - time: the time of the change (default: as soon as it can be heard).
  public func setTempo(_ tempo: Tempo, over beats: Beats = 0, at time: HostTime? = nil) {
    change(at: time, to: nil) { timeline, moment, now in
      timeline.changing(tempo: tempo.beatsPerMinute, over: beats.count, at: moment, now: now)
    }
  }

  /// The delay, in seconds, of a change that is made now without the argument `at`.
  var announcement: Double { lead() }

  /// Applies a start or a change of the tempo that was derived from the MIDI clock of another device.
  func follow(_ change: MIDIClockConductor.Change) {
    playback.withLock { playback in
      let now = now
      switch change {
      case .start(let time, let beat, let tempo):
        let last = playback.timeline.segment(at: now)
        playback.timeline = Timeline.beginning(
          at: time, tempo: tempo.beatsPerMinute, meter: last.meter, take: playback.timeline.take &+ 1,
          after: last)
        // Bar 1 begins at the gear's beat 0, which may be past.
        playback.timeline.next?.beat = beat
        playback.timeline.next?.soundsFrom = beat
        playback.state = .playing
      case .steer(let time, let tempo, let end, let then):
        playback.timeline = playback.timeline.changing(tempo: tempo.beatsPerMinute, at: time, now: now)
          .changing(tempo: then.beatsPerMinute, at: end, now: now)
      }
      latest.store(BeatClock(alone: playback.timeline))
    }
  }

  private var now: SessionTime { SessionTime(nanoseconds: clock.now.nanoseconds) }

  private func halt(at time: HostTime?, to state: State) {
    change(at: time, to: state) { timeline, moment, now in timeline.stopping(at: moment, now: now) }
  }

  private func change(
    at time: HostTime?, to state: State?, _ body: (Timeline, SessionTime, SessionTime) -> Timeline
  ) {
    playback.withLock { playback in
      let now = now
      let moment = time.map { SessionTime(nanoseconds: $0.nanoseconds) } ?? now.advanced(bySeconds: lead())
      playback.timeline = body(playback.timeline, moment, now)
      if let state { playback.state = state }
      latest.store(BeatClock(alone: playback.timeline))
    }
  }
}
