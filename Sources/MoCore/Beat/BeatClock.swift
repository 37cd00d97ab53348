/// The shared beat as one machine sees it: the music's course, and this machine's map to the shared clock.
///
/// A plain value, valid for as long as nothing changes; an audio thread takes a copy a block.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct BeatClock: Hashable, Sendable, BitwiseCopyable {
  /// The shared clock's time at a host time.
  public var clock: SlewedClock
  /// The music's course; nil before anybody has started one.
  public var timeline: Timeline?
  /// No beat below this one is shown: after a correction beats wait rather than go back.
  public var floor: Double
  /// When the course has reached the floor, or begins anew: from then on there is none.
  public var floorEnd = SessionTime(nanoseconds: .max)

  /// By how many nanoseconds this device sounds later than it believes.
  public var lag: Int64 = 0

  /// A beat from its parts.
  @inlinable
  public init(clock: SlewedClock, timeline: Timeline?, floor: Double = -.greatestFiniteMagnitude) {
    (self.clock, self.timeline, self.floor) = (clock, timeline, floor)
  }

  /// The music's course, once there is a clock to place it by; nil before.
  @inlinable
  public var course: Timeline? { clock.hasStarted ? timeline : nil }

  /// The shared clock's time at a host time.
  @inlinable
  public func sessionTime(at host: HostTime) -> SessionTime {
    SessionTime(nanoseconds: clock.other(at: host.advanced(byNanoseconds: lag)).nanoseconds)
  }

  /// The host time at a moment of the shared clock.
  @inlinable
  public func hostTime(at time: SessionTime) -> HostTime {
    clock.own(at: HostTime(nanoseconds: time.nanoseconds)).advanced(byNanoseconds: -lag)
  }

  /// The beat at a host time; nil while there is no rhythm.
  @inlinable
  public func beat(at host: HostTime) -> Double? {
    guard let timeline = course else { return nil }
    let time = sessionTime(at: host)
    let beat = timeline.beat(at: time)
    return time < floorEnd ? max(floor, beat) : beat
  }

  /// Whether the rhythm runs at a host time.
  @inlinable
  public func isPlaying(at host: HostTime) -> Bool {
    course?.isPlaying(at: sessionTime(at: host)) ?? false
  }

  /// Beats a minute at a host time; nil while there is no rhythm.
  @inlinable
  public func tempo(at host: HostTime) -> Double? { course?.tempo(at: sessionTime(at: host)) }

  /// Bar and beat at a host time; nil while there is no rhythm.
  @inlinable
  public func position(at host: HostTime) -> BarPosition? {
    guard let timeline = course, let beat = beat(at: host) else { return nil }
    return timeline.segment(at: sessionTime(at: host)).position(ofBeat: beat)
  }

  /// The host time of a beat, at or after a host time; nil if it never comes.
  @inlinable
  public func time(ofBeat beat: Double, from earliest: HostTime) -> HostTime? {
    course?.time(ofBeat: beat, from: sessionTime(at: earliest)).map(hostTime)
  }

  /// The host time of a grid's next line; nil while no rhythm runs.
  @inlinable
  public func time(of grid: BeatGrid, from earliest: HostTime) -> HostTime? {
    course?.time(of: grid, from: sessionTime(at: earliest)).map(hostTime)
  }
}
