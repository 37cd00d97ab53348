import MoCore

/// Computes the messages of MIDI clock from the shared beat: 24 clocks per quarter note, start, stop, continue and song
/// position.
///
/// The time of each clock is exact to a nanosecond, also while the tempo changes gradually. A start, or a song position
/// and continue, is sent 5 ms before a clock, because gear begins to play at the next clock. If the beat jumps, the
/// leader stops the gear. At the next sixteenth after the jump, the leader starts the gear again, with the new song
/// position.
///
/// - Source: *MIDI 1.0 Detailed Specification* 4.2, "System real time messages".
/// - Thread: one owner.
/// - Real-time safe: yes.
public struct MIDIClockLeader: Sendable {
  /// A MIDI message that is to be sent, and the time at which it is to be sent.
  public struct Event: Hashable, Sendable, BitwiseCopyable {
    /// The message.
    public var message: MIDIMessage
    /// The time at which the message is to be sent.
    public var time: HostTime

    /// Creates an event from its parts.
    public init(message: MIDIMessage, time: HostTime) { (self.message, self.time) = (message, time) }
  }

  private enum State {
    case stopped
    /// The song position was sent; the next message is continue, which must come before the clock with this number.
    case located(clock: Int)
    /// The gear was started: the number of the next clock, whether a clock was sent since the start, and the number of
    /// clocks per beat.
    case running(clock: Int, hasBegun: Bool, perBeat: Int)
  }

  /// The usual time from a start or continue message to the clock after this message, in seconds.
  ///
  /// Gear needs at least 1 ms between the message and this clock.
  static let lead = 0.005
  /// The least time from a start or continue message to the clock after this message, in seconds.
  private static let leastLead = 0.002

  private var state = State.stopped
  /// The time before which `next` returns no further event.
  private var cursor: HostTime

  /// Creates a leader that sends nothing before the moment `start`.
  public init(from start: HostTime) { cursor = start }

  /// Returns the next event at or before the moment `until`; nil if there is none.
  ///
  /// Call the function repeatedly, with the present `BeatClock`, until the result is nil. Later, call it again with a
  /// later `until`.
  public mutating func next(by beat: BeatClock, until: HostTime) -> Event? {
    guard cursor <= until else { return nil }
    switch state {
    case .stopped: return begin(by: beat, until: until)
    case .located(let clock):
      let perBeat = beat.course.map { Self.clocksPerBeat($0, at: beat.sessionTime(at: cursor)) } ?? 24
      state = .running(clock: clock, hasBegun: false, perBeat: perBeat)
      return Event(message: .continue, time: cursor)
    case .running(let clock, let hasBegun, let perBeat):
      return advance(clock, hasBegun, perBeat, by: beat, until: until)
    }
  }

  /// Returns the number of MIDI clocks per beat in the first segment that plays at or after `time`.
  ///
  /// The number is 24 if a beat is a quarter note, and 12 if a beat is an eighth.
  private static func clocksPerBeat(_ timeline: Timeline, at time: SessionTime) -> Int {
    96 / playing(timeline, from: time).segment.meter.unit
  }

  /// Returns the first segment that plays at or after `time`, and the later of `time` and the segment's start.
  ///
  /// If no segment plays from `time` on, the result has the last segment.
  private static func playing(_ timeline: Timeline, from time: SessionTime) -> (
    segment: BeatSegment, from: SessionTime
  ) {
    var time = time
    while !timeline.segment(at: time).isPlaying, let end = timeline.end(after: time) { time = end }
    return (timeline.segment(at: time), time)
  }

  private mutating func begin(by beat: BeatClock, until: HostTime) -> Event? {
    guard let timeline = beat.course else { return nil }
    let earliest = beat.sessionTime(at: cursor.advanced(bySeconds: Self.leastLead))
    let (segment, from) = Self.playing(timeline, from: earliest)
    guard segment.isPlaying else { return nil }
    let perBeat = 96 / segment.meter.unit
    let first = max(segment.beat(at: from), segment.soundsFrom, 0)
    // Song position counts sixteenths, six clocks each.
    let sixteenth = (first * Double(perBeat) / 6 - 1e-6).rounded(.up)
    guard sixteenth < 1e12 else { return nil }
    let clock = Int(sixteenth) * 6
    guard let time = timeline.moment(ofBeat: Double(clock) / Double(perBeat), from: from) else { return nil }
    let leave = max(cursor, beat.hostTime(at: time).advanced(bySeconds: -Self.lead))
    guard leave <= until else { return nil }
    cursor = leave
    if clock == 0 {
      state = .running(clock: 0, hasBegun: false, perBeat: perBeat)
      return Event(message: .start, time: leave)
    }
    state = .located(clock: clock)
    let place = clock % Self.longestSong(segment.meter, perBeat: perBeat) / 6
    return Event(message: .songPosition(MIDIUInt14(clamping: place)), time: leave)
  }

  /// Returns the length of the longest song of whole bars whose positions MIDI song position can express, in clocks.
  ///
  /// Song position has 14 bits. In a longer rhythm, the positions begin again at a bar line, so that the bars of the
  /// gear stay the bars of the rhythm.
  private static func longestSong(_ meter: Meter, perBeat: Int) -> Int {
    let bar = meter.beatsPerBar * perBeat
    // A bar of thirty-seconds may end between two sixteenths.
    let bars = bar % 6 == 0 ? bar : 2 * bar
    return 0x4000 * 6 / bars * bars
  }

  private mutating func advance(
    _ clock: Int, _ hasBegun: Bool, _ perBeat: Int, by beat: BeatClock, until: HostTime
  ) -> Event? {
    guard let timeline = beat.course else { return stop(at: cursor, until: until) }
    let now = beat.sessionTime(at: cursor)
    let place = Double(clock) / Double(perBeat)
    if hasBegun {
      let segment = timeline.segment(at: now)
      let passed = segment.beat(at: now) * Double(perBeat) - Double(clock)
      guard segment.isPlaying, 96 / segment.meter.unit == perBeat, passed > -1.5, passed < 0.5 else {
        return stop(at: cursor, until: until)
      }
      if let end = timeline.end(after: now), segment.time(ofBeat: place).map({ $0 >= end }) ?? true {
        let next = timeline.segment(at: end)
        let jump = abs(next.beat(at: end) - segment.beat(at: end))
        guard next.isPlaying, jump < 1e-3, next.meter.unit == segment.meter.unit else {
          return stop(at: max(cursor, beat.hostTime(at: end)), until: until)
        }
      }
    }
    let wanted = timeline.moment(ofBeat: place, from: now)
    // A start that was announced, and then cancelled.
    guard let wanted, hasBegun || wanted.seconds(since: now) < 1 else {
      return stop(at: cursor, until: until)
    }
    let time = max(cursor, beat.hostTime(at: wanted))
    guard time <= until else { return nil }
    cursor = time
    state = .running(clock: clock + 1, hasBegun: true, perBeat: perBeat)
    return Event(message: .clock, time: time)
  }

  private mutating func stop(at time: HostTime, until: HostTime) -> Event? {
    guard time <= until else { return nil }
    (cursor, state) = (time, .stopped)
    return Event(message: .stop, time: time)
  }
}
