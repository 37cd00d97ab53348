import MoCore
import MoMu

/// A beat of one's own, for who plays alone: starts, stops, pauses, and changes its tempo.
///
/// It is kept as a timeline of MoCore, as a session's is: whatever plays on a `BeatClock` plays on either.
///
/// ```swift
/// let rhythm = Rhythm(tempo: 96)
/// rhythm.start()
/// rhythm.setTempo(132, over: 16)  // within sixteen beats
/// ```
///
/// What is asked for without a time takes effect as soon as it can be heard: later by the output latency and a block, and
/// by 50 ms if the sound does not run yet. Start the sound first, if the latency is long.
///
/// - Thread: any.
public final class Rhythm: Sendable {
  /// What a rhythm does.
  public enum State: Sendable, Equatable {
    /// Nothing; a start begins at the first bar.
    case stopped
    /// Beats go by.
    case playing
    /// Beats stand; resuming goes on from there.
    case paused
  }

  private struct Course {
    var timeline: Timeline
    var state = State.stopped
  }

  private let course: Locked<Course>
  private let latest: LatestValue<BeatClock>
  private let clock: any TimeSource
  private let lead: @Sendable () -> Double

  /// A rhythm at rest.
  ///
  /// - Parameters:
  ///   - tempo: beats a minute, kept within `Tempo.range`; no number counts as 120.
  ///   - meter: how beats make bars.
  public convenience init(tempo: Double = 120, meter: Meter = .common) {
    let run = Run.current
    let unknown = run.isOffline ? 0 : 0.05
    self.init(tempo: tempo, meter: meter, clock: run.clock) {
      let lead = MoAudio.soundLead
      return lead > 0 ? lead + unknown / 5 : unknown
    }
  }

  /// A rhythm by a clock of one's own, for tests and renderers.
  ///
  /// - Parameter lead: seconds from an order to its effect, where no time is given; asked for at each order.
  package init(
    tempo: Double = 120, meter: Meter = .common, clock: any TimeSource,
    lead: @escaping @Sendable () -> Double = { 0 }
  ) {
    self.clock = clock
    self.lead = lead
    let rest = Timeline(
      BeatSegment(
        start: SessionTime(nanoseconds: clock.now.nanoseconds), beat: 0, tempo: Tempo.nearest(tempo),
        isPlaying: false, meter: meter, soundsFrom: 0))
    course = Locked(Course(timeline: rest))
    latest = LatestValue(BeatClock(alone: rest))
  }

  /// The beat, for whatever plays on it.
  ///
  /// - Real-time safe: yes.
  public var beat: BeatClock { latest.load() }

  /// What it does.
  public var state: State { course.withLock { $0.state } }

  /// Beats a minute now; those of the next start while it is stopped.
  public var tempo: Double { course.withLock { $0.timeline.last.tempo(at: now) } }

  /// Begins at the first bar's line; a rhythm that runs begins anew.
  ///
  /// - Parameters:
  ///   - time: when; left out, now.
  ///   - countIn: bars that are only counted, 0 … 8.
  public func start(at time: HostTime? = nil, countIn: Int = 0) {
    change(at: time, to: .playing) { timeline, moment, _ in
      let last = timeline.segment(at: moment)
      return Timeline.beginning(
        at: moment, tempo: last.endTempo, meter: last.meter, countIn: countIn, take: timeline.take &+ 1,
        after: last)
    }
  }

  /// Ends; the next start begins at the first bar.
  public func stop(at time: HostTime? = nil) { halt(at: time, to: .stopped) }

  /// Lets the beat stand; `resume` goes on from there.
  ///
  /// Nothing where it does not run.
  public func pause(at time: HostTime? = nil) {
    if state == .playing { halt(at: time, to: .paused) }
  }

  /// Goes on from where it was paused; nothing where it was not.
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
  ///   - tempo: beats a minute, kept within `Tempo.range`; no number is not taken.
  ///   - beats: over how many beats it goes there, evenly in time; 0 for at once.
  ///   - time: when; left out, now.
  public func setTempo(_ tempo: Double, over beats: Double = 0, at time: HostTime? = nil) {
    guard !tempo.isNaN else { return }
    change(at: time, to: nil) { timeline, moment, now in
      timeline.changing(tempo: tempo, over: beats.isFinite ? beats : 0, at: moment, now: now)
    }
  }

  private var now: SessionTime { SessionTime(nanoseconds: clock.now.nanoseconds) }

  private func halt(at time: HostTime?, to state: State) {
    change(at: time, to: state) { timeline, moment, now in timeline.stopping(at: moment, now: now) }
  }

  private func change(
    at time: HostTime?, to state: State?, _ body: (Timeline, SessionTime, SessionTime) -> Timeline
  ) {
    course.withLock { course in
      let now = now
      let moment = time.map { SessionTime(nanoseconds: $0.nanoseconds) } ?? now.advanced(bySeconds: lead())
      course.timeline = body(course.timeline, moment, now)
      if let state { course.state = state }
      latest.store(BeatClock(alone: course.timeline))
    }
  }
}
