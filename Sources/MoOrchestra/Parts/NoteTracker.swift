import MoCore
import MoInstruments

/// The notes that other members play on an instrument: the sounding notes with their ends, and the notes still to come.
///
/// The tracker is a plain value: its functions return the events that the instrument must play, with their times.
struct NoteTracker: Sendable {
  /// An event that the instrument must play, and its time.
  struct Order: Sendable {
    var event: InstrumentEvent
    var time: HostTime
  }

  private struct Sounding: Sendable {
    var owner: MemberID
    var pitch: Float
    var id: Int32
    var began: HostTime
    /// The end of the note; nil for a note that sounds until it is released.
    var end: PartTime?
  }

  /// A note of a melody that has not begun yet.
  struct Coming: Sendable {
    var owner: MemberID
    var pitch: Float
    var velocity: Float
    var begin: PartTime
    /// The length, in beats.
    var length: Double
  }

  private var sounding: [Sounding] = []
  private var coming: [Coming] = []
  private var begun: Int32 = 0
  /// The number of dropped notes: too many sounded or waited, or a note of a melody was more than `tolerance` seconds
  /// late.
  private(set) var refused = 0
  /// The time at which to call `due` next; nil for never.
  private(set) var next: HostTime?

  /// The least number of seconds by which `due` returns an event before the time of the event.
  ///
  /// Each change of the tempo is announced longer in advance, so that the time of a returned event is final.
  static let leastAhead = 0.15
  /// The interval, in seconds, at which `due` checks whether a change of the tempo has moved the time of a note.
  static let checkInterval = 0.1
  /// Seconds by which a note of a melody may be late and still be played.
  static let tolerance = 0.02

  /// The members with notes that sound or are still to come.
  var owners: Set<MemberID> { Set(sounding.map(\.owner) + coming.map(\.owner)) }

  /// The number of sounding notes.
  var count: Int { sounding.count }

  /// Begins a note, and ends a sounding note of the same member and pitch.
  mutating func begin(
    _ owner: MemberID, _ pitch: Float, _ velocity: Float, at time: HostTime, end: PartTime?
  ) -> [Order] {
    var orders = letGo(owner, pitch, at: time)
    guard sounding.count < RemotePart.mostSounding else {
      refused += 1
      return orders
    }
    // Far from the IDs of local keys, and of notes from movement.
    begun = (begun + 1) % 1_000_000
    let id = -1_000_000 - begun
    sounding.append(Sounding(owner: owner, pitch: pitch, id: id, began: time, end: end))
    orders.append(Order(event: .noteOn(Note(pitch, velocity: velocity, id: id)), time: time))
    return orders
  }

  /// Ends the sounding note of a member at a pitch; does nothing if there is none.
  mutating func letGo(_ owner: MemberID, _ pitch: Float, at time: HostTime) -> [Order] {
    guard let place = sounding.firstIndex(where: { $0.owner == owner && $0.pitch == pitch }) else {
      return []
    }
    return [Self.end(sounding.remove(at: place), at: time)]
  }

  /// Adds a note of a melody that begins later.
  mutating func add(_ note: Coming) {
    guard coming.count < RemotePart.mostComing else {
      refused += 1
      return
    }
    coming.append(note)
  }

  /// Ends all sounding notes of a member, and removes the member's notes that are still to come.
  ///
  /// - Parameter owner: the member; nil for all members.
  mutating func release(_ owner: MemberID?, at time: HostTime) -> [Order] {
    coming.removeAll { owner == nil || $0.owner == owner }
    let ending = sounding.filter { owner == nil || $0.owner == owner }
    sounding.removeAll { owner == nil || $0.owner == owner }
    return ending.map { Self.end($0, at: time) }
  }

  /// Returns the events that must be sent to the instrument now, and sets `next`.
  ///
  /// - Parameter ahead: the seconds by which an event is returned before its time; they must be more than the seconds
  ///   by which sound is computed in advance.
  mutating func due(on clock: BeatClock, at now: HostTime, ahead: Double) -> [Order] {
    var orders: [Order] = []
    begin(&orders, clock, now, ahead)
    end(&orders, clock, now, ahead)
    next = nil
    let ends = sounding.compactMap { note in note.end.map { ($0, $0.end(on: clock, at: now)) } }
    let begins = coming.compactMap { note in note.begin.time(on: clock, at: now).map { (note.begin, $0) } }
    for (moment, time) in ends + begins {
      var check = time.advanced(bySeconds: -ahead)
      if case .beat = moment { check = min(check, now.advanced(bySeconds: Self.checkInterval)) }
      next = min(next ?? .distantFuture, check)
    }
    return orders
  }

  private mutating func begin(_ orders: inout [Order], _ clock: BeatClock, _ now: HostTime, _ ahead: Double) {
    let waiting = coming
    coming = []
    for note in waiting {
      // A note that a stop or a new start has cut off is not played.
      guard let time = note.begin.time(on: clock, at: now) else { continue }
      guard time.advanced(bySeconds: -ahead) <= now else {
        coming.append(note)
        continue
      }
      guard time.advanced(bySeconds: Self.tolerance) >= now, !isOver(note.begin, clock, now) else {
        refused += 1
        continue
      }
      orders += begin(
        note.owner, note.pitch, note.velocity, at: time, end: note.begin.later(by: note.length))
    }
  }

  /// Returns whether it is too late for a note: its beat passed more than `tolerance` seconds ago.
  private func isOver(_ moment: PartTime, _ clock: BeatClock, _ now: HostTime) -> Bool {
    let earlier = now.advanced(bySeconds: -Self.tolerance)
    guard case .beat(let beat, let take) = moment, let here = clock.beat(at: earlier) else { return false }
    return here > beat && !clock.isBefore(take, at: earlier)
  }

  private mutating func end(_ orders: inout [Order], _ clock: BeatClock, _ now: HostTime, _ ahead: Double) {
    for place in sounding.indices.reversed() {
      guard let moment = sounding[place].end else { continue }
      let time = moment.end(on: clock, at: now)
      guard time.advanced(bySeconds: -ahead) <= now else { continue }
      orders.append(Self.end(sounding.remove(at: place), at: time))
    }
  }

  private static func end(_ note: Sounding, at time: HostTime) -> Order {
    // A note that was scheduled for a later time must not begin after its end.
    Order(event: .noteOff(Note(note.pitch, velocity: 0.5, id: note.id)), time: max(time, note.began))
  }
}

/// The time of an event: a beat, which does not depend on the tempo, or a fixed time if no rhythm runs.
enum PartTime: Hashable, Sendable {
  /// A beat, and its take; the take is nil if an announced start ends this take.
  case beat(Double, take: UInt32?)
  case time(HostTime)

  /// The length of a beat in seconds if no rhythm runs: 120 beats a minute.
  static let freeBeat = 0.5

  /// Returns the time that is the given number of beats later; a fixed time moves by `freeBeat` for each beat.
  func later(by beats: Double) -> PartTime {
    switch self {
    case .beat(let beat, let take): .beat(beat + beats, take: take)
    case .time(let time): .time(time.advanced(bySeconds: beats * Self.freeBeat))
    }
  }

  /// Returns this time as host time: `now` for a beat that has passed, nil for a beat that its take never reaches.
  func time(on clock: BeatClock, at now: HostTime) -> HostTime? {
    switch self {
    case .time(let time): return time
    case .beat(let beat, let take):
      guard let timeline = clock.course else { return nil }
      let restart = clock.restart(after: now)
      if take == timeline.take {
        // Before its start, the take has no beat that has passed.
        if let restart { return timeline.time(ofBeat: beat, from: restart).map(clock.hostTime) }
        if let time = clock.time(ofBeat: beat, from: now) { return time }
      } else {
        // An earlier take lasts until the start that has been announced.
        guard let restart else { return nil }
        let time = timeline.time(ofBeat: beat, from: clock.sessionTime(at: now))
        if let time, time < restart { return clock.hostTime(at: time) }
      }
      guard clock.isPlaying(at: now), let here = clock.beat(at: now), here >= beat - 1e-6 else { return nil }
      return now
    }
  }

  /// Returns this time as the end of a note: if its take or the rhythm ends before, that end.
  func end(on clock: BeatClock, at now: HostTime) -> HostTime {
    if let time = time(on: clock, at: now) { return time }
    // If the rhythm has stopped, no note continues.
    guard clock.isPlaying(at: now), let end = clock.end(after: now) else { return now }
    return clock.hostTime(at: end)
  }
}

extension BeatClock {
  /// Returns the time of an announced start at which the beat jumps, if it is after a host time; else nil.
  fileprivate func restart(after host: HostTime) -> SessionTime? {
    guard take(at: host) == nil else { return nil }
    return course?.restart?.start.start
  }

  /// Returns the time of an announced stop or start of the rhythm, if it is after a host time; else nil.
  fileprivate func end(after host: HostTime) -> SessionTime? {
    let now = sessionTime(at: host)
    let stop = [course?.next, course?.later].compactMap(\.self).first { !$0.isPlaying && $0.start > now }
    return [restart(after: host), stop?.start].compactMap(\.self).min()
  }

  /// Returns whether a take has been announced, but begins only after a host time.
  fileprivate func isBefore(_ take: UInt32?, at host: HostTime) -> Bool {
    take == timeline?.take && restart(after: host) != nil
  }
}
