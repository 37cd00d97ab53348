/// The shared beat as one machine sees it: the timeline of the music, and the map from local to shared clock.
///
/// The beat clock is a plain value, which is valid until the timeline or the clock changes. An audio thread copies it
/// once per block.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct BeatClock: Hashable, Sendable, BitwiseCopyable {
  /// The map from host time to the shared clock's time.
  public var clock: SlewedClock
  /// The timeline of the music; nil until a member has started the rhythm.
  public var timeline: Timeline?
  /// The lowest beat that this clock returns.
  ///
  /// If a correction of the clock would move the beat back, the beat stays at this value until the timeline reaches
  /// this value.
  public var floor: Double
  /// The time at which `floor` loses its effect: the timeline reaches `floor`, or a new start changes the beat.
  public var floorEnd = SessionTime(nanoseconds: .max)

  /// The delay of this machine's sound device that the device does not report, in nanoseconds.
  public var lag: Int64 = 0

  /// Creates a beat clock from its parts.
  @inlinable
  public init(clock: SlewedClock, timeline: Timeline?, floor: Double = -.greatestFiniteMagnitude) {
    (self.clock, self.timeline, self.floor) = (clock, timeline, floor)
  }

  /// The timeline of the music; nil until the shared clock has started and a member has started the rhythm.
  @inlinable
  public var course: Timeline? { clock.hasStarted ? timeline : nil }

  /// Returns the shared clock's time at a host time.
  @inlinable
  public func sessionTime(at host: HostTime) -> SessionTime {
    SessionTime(nanoseconds: clock.other(at: host.advanced(byNanoseconds: lag)).nanoseconds)
  }

  /// Returns the host time at a moment of the shared clock.
  @inlinable
  public func hostTime(at time: SessionTime) -> HostTime {
    clock.own(at: HostTime(nanoseconds: time.nanoseconds)).advanced(byNanoseconds: -lag)
  }

  /// Returns the beat at a host time, from 0 at the start of bar 1; nil until a rhythm has been started.
  ///
  /// While the rhythm is stopped, the beat stays the same and is not nil; see `isPlaying(at:)`.
  @inlinable
  public func beat(at host: HostTime) -> Double? {
    guard let timeline = course else { return nil }
    let time = sessionTime(at: host)
    let beat = timeline.beat(at: time)
    return time < floorEnd ? max(floor, beat) : beat
  }

  /// Returns whether the rhythm runs at a host time.
  @inlinable
  public func isPlaying(at host: HostTime) -> Bool {
    course?.isPlaying(at: sessionTime(at: host)) ?? false
  }

  /// Returns the tempo at a host time; nil until a rhythm has been started.
  public func tempo(at host: HostTime) -> Tempo? { course?.tempo(at: sessionTime(at: host)) }

  /// Returns the bar and the beat in it at a host time; nil until a rhythm has been started.
  @inlinable
  public func position(at host: HostTime) -> BarPosition? {
    guard let timeline = course, let beat = beat(at: host) else { return nil }
    return timeline.segment(at: sessionTime(at: host)).position(ofBeat: beat)
  }

  /// Returns the number of the take to which the beat at a host time belongs; nil until a rhythm has been started.
  ///
  /// The result is also nil before an announced start at which the beat jumps: the timeline then has only the number
  /// of the new take.
  package func take(at host: HostTime) -> UInt32? {
    guard let timeline = course else { return nil }
    // The host time of the start itself can be a nanosecond too early.
    let time = sessionTime(at: host).nanoseconds &+ 10
    if let restart = timeline.restart, time < restart.start.start.nanoseconds { return nil }
    return timeline.take
  }

  /// Returns the number of the take to which a beat that sounds near a host time belongs; nil as for `take(at:)`.
  package func take(ofBeat beat: Double, near host: HostTime) -> UInt32? {
    guard let timeline = course,
      timeline.momentBeforeRestart(ofBeat: beat, near: sessionTime(at: host)) == nil
    else { return nil }
    return timeline.take
  }

  /// Returns the first host time, not before `earliest`, at which the music reaches a beat.
  ///
  /// The result is nil if the music does not reach the beat after `earliest`: the beat has passed, or the music stops.
  @inlinable
  public func time(ofBeat beat: Double, from earliest: HostTime) -> HostTime? {
    course?.time(ofBeat: beat, from: sessionTime(at: earliest)).map(hostTime)
  }

  /// Returns the host time of the first grid line at or after `earliest`; nil if the rhythm stays stopped.
  ///
  /// The result is also nil until a rhythm has been started.
  @inlinable
  public func time(of grid: BeatGrid, from earliest: HostTime) -> HostTime? {
    course?.time(of: grid, from: sessionTime(at: earliest)).map(hostTime)
  }
}

extension SlewedClock {
  /// A clock for a machine that shares its time with no other machine.
  ///
  /// The local clock serves as the shared clock.
  public static var alone: SlewedClock {
    var clock = SlewedClock()
    clock.settle(
      on: ClockEstimate(
        at: .zero, offset: 0, rate: 0, errorBound: 0, symmetricBound: 0, roundTrip: 0, leastRoundTrip: 0,
        loss: 0),
      at: .zero)
    return clock
  }
}

extension BeatClock {
  /// Creates a beat clock for a timeline that only this machine uses.
  public init(alone timeline: Timeline) { self.init(clock: .alone, timeline: timeline) }

  /// Returns a beat clock with a steady tempo, which only this machine uses and which never stops.
  ///
  /// ```swift
  /// import MoInstruments
  ///
  /// let beat = BeatClock.steady(tempo: 96, from: SystemClock().now)
  /// try MoAudio.follow { beat }
  /// ```
  ///
  /// - Parameters:
  ///   - tempo: the tempo.
  ///   - meter: the beats of a bar.
  ///   - start: the time at which bar 1 begins.
  public static func steady(tempo: Tempo, meter: Meter = .common, from start: HostTime) -> BeatClock {
    BeatClock(
      alone: Timeline(
        BeatSegment(
          start: SessionTime(nanoseconds: start.nanoseconds), beat: 0, tempo: tempo.beatsPerMinute,
          isPlaying: true, meter: meter, soundsFrom: 0)))
  }
}
