import MoCore

/// Makes a shared rhythm follow the MIDI clock of gear, such as a drum machine.
///
/// The conductor starts the rhythm with the gear, and keeps the rhythm in time with the gear.
///
/// The rhythm begins at a beat of the gear. If the rhythm is late or early, a tempo slightly above or below the gear's
/// tempo removes the difference within two seconds. Each such tempo change also announces the later return to the
/// gear's tempo. So the rhythm continues at the gear's tempo if the gear stops or loses its cable, or if no further
/// changes come.
///
/// - Thread: one owner.
public struct MIDIClockConductor: Sendable {
  /// A change of the rhythm.
  public enum Change: Hashable, Sendable {
    /// A start of the rhythm at the moment `at`: the beat at that moment, and the tempo.
    case start(at: SessionTime, beat: Double, tempo: Tempo)
    /// A tempo from the moment `at` to the moment `until`, and the tempo `then` after `until`.
    case steer(at: SessionTime, tempo: Tempo, until: SessionTime, then: Tempo)
  }

  /// The value of `MIDIClockFollower.starts` when this conductor last started the rhythm.
  ///
  /// A higher value of `starts` means that the gear has started again.
  private var startsFollowed = 0
  private var isSteering = false
  private var next = HostTime.distantPast
  private var steered = HostTime.distantPast

  /// Seconds between two comparisons of the gear's beat with the beat of the shared rhythm.
  private static let pause = 0.25
  /// The seconds after which a tempo change has made the rhythm's beat equal to the gear's beat.
  ///
  /// A tempo change that is not urgent comes at least this time after the previous change.
  private static let calm = 2.0
  /// The largest differences between rhythm and gear at which the rhythm needs no tempo change.
  ///
  /// `phase` is the difference of the beat, in seconds. `rate` is the difference of the tempo, relative to the gear's
  /// tempo.
  private static let least = (phase: 0.0002, rate: 5e-5)
  /// The difference between the rhythm's beat and the gear's beat, in seconds, above which a tempo change is urgent.
  ///
  /// An urgent change does not wait until `calm` seconds after the previous change. If the gear's beat is uncertain,
  /// the limit is higher: three standard deviations of this beat.
  private static let urgent = 0.004
  /// The limits of the wait for more clocks after the gear has started.
  ///
  /// The rhythm starts when the standard deviation of the gear's beat is below `error` seconds, or after `beats`
  /// quarter notes at the latest.
  private static let startLimits = (error: 0.008, beats: 4.0)

  /// Creates a conductor that has not followed a start of the gear yet.
  public init() {}

  /// Makes `change` return nil until the gear starts again, for example because another member conducts.
  public mutating func release() { isSteering = false }

  /// Makes `change` return a start of the rhythm once more, as for a new start of the gear.
  ///
  /// Call this function if the result of `change` could not be carried out, for example because the room's clock was
  /// not known.
  public mutating func retry() { (startsFollowed, isSteering) = (startsFollowed - 1, false) }

  /// Returns the change with which the rhythm follows the gear's beat; nil if no change is needed now, or if the gear's
  /// beat is not known well enough yet.
  ///
  /// - Parameters:
  ///   - gear: the follower of the gear's MIDI clock.
  ///   - beat: the clock of the shared rhythm.
  ///   - lead: the seconds from the announcement of a change until it takes effect.
  ///   - now: the present host time.
  public mutating func change(
    at now: HostTime, _ gear: MIDIClockFollower, _ beat: BeatClock, lead: Double
  ) -> Change? {
    guard now >= next, gear.isRunning, let tempo = gear.tempo else { return nil }
    next = now.advanced(bySeconds: Self.pause)
    let moment = now.advanced(bySeconds: lead)
    guard let expected = gear.expectedBeat(at: moment), let error = gear.error(at: moment) else { return nil }
    let unit = Double((beat.timeline?.last.meter ?? .common).unit) / 4
    if gear.starts > startsFollowed {
      guard error < Self.startLimits.error || expected > Self.startLimits.beats else {
        next = now
        return nil
      }
      return start(gear, tempo * unit, unit, after: moment, beat)
    }
    guard isSteering, !gear.isCoasting(at: now), let timeline = beat.course else { return nil }
    let (from, current) = (beat.sessionTime(at: moment), beat.sessionTime(at: now))
    guard timeline.isPlaying(at: from) else { return nil }
    // The gear went to another place, or was out of touch for long.
    if abs(expected * unit - timeline.beat(at: from)) > 2 {
      return start(gear, tempo * unit, unit, after: moment, beat)
    }
    // A timeline holds two announced changes: the return to the gear's tempo must be the second one.
    if let end = timeline.end(after: current), end < from { return nil }
    let end = moment.advanced(bySeconds: Self.calm)
    guard let goal = gear.expectedBeat(at: end), let doubt = gear.error(at: end) else { return nil }
    return steer(to: goal * unit, doubt, tempo * unit, timeline, from, now)
  }

  private mutating func start(
    _ gear: MIDIClockFollower, _ tempo: Double, _ unit: Double, after moment: HostTime, _ beat: BeatClock
  ) -> Change? {
    guard let expected = gear.expectedBeat(at: moment) else { return nil }
    let first = (max(0, expected) * unit - 1e-6).rounded(.up)
    let time = moment.advanced(bySeconds: (first - expected * unit) * 60 / tempo)
    (startsFollowed, isSteering, steered) = (gear.starts, true, time)
    return .start(at: beat.sessionTime(at: time), beat: first, tempo: Tempo(tempo))
  }

  /// Returns a tempo change with which the rhythm reaches the beat `goal` two seconds after the change; nil for no
  /// change.
  ///
  /// The result is nil if the rhythm is in time, or if a change is not urgent and the previous change is too recent.
  ///
  /// - Parameter doubt: the standard deviation of the time at which the gear reaches `goal`, in seconds.
  private mutating func steer(
    to goal: Double, _ doubt: Double, _ tempo: Double, _ timeline: Timeline, _ from: SessionTime,
    _ now: HostTime
  ) -> Change? {
    let end = from.advanced(bySeconds: Self.calm)
    // Without a change, this is the difference that would remain.
    let phase = abs(goal - timeline.beat(at: end)) * 60 / tempo
    let rate = abs(timeline.tempo(at: end).beatsPerMinute / tempo - 1)
    guard phase > Self.least.phase || rate > Self.least.rate else { return nil }
    let isUrgent = phase > max(Self.urgent, 3 * doubt)
    guard isUrgent || now.seconds(since: steered) > Self.calm else { return nil }
    steered = now
    let needed = 60 * (goal - timeline.beat(at: from)) / Self.calm
    return .steer(
      at: from, tempo: Tempo(max(tempo / 2, min(needed, tempo * 2))), until: end, then: Tempo(tempo))
  }
}
