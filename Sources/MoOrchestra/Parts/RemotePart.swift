import MoCore
import MoInstruments

/// A player of other members' events on an instrument: strikes, notes, melodies and parameter changes.
///
/// ```swift
/// import MoConsole
///
/// let echo = try RemotePart.open(on: MoAudio.play(Harp()))
/// MoSession.onMelody { heard in echo.play(Melody(heard.played), like: heard) }
/// ```
///
/// A remote part does not depend on a session. So it plays the events of a tape as well as those of a room, also
/// offline. An event with a beat sounds at the frame at which that beat reaches the ear. Notes of other members and
/// local notes do not end each other.
///
/// - Thread: any.
/// - Real-time safe: no.
public final class RemotePart: Sendable {
  /// The largest number of other members' notes that sound at the same time; further notes are dropped.
  public static let mostSounding = 128
  /// The largest number of melody notes that wait for their beats; further notes are dropped.
  public static let mostComing = 512
  /// The largest lateness of a strike or note, in seconds.
  ///
  /// Up to this limit, a late strike or note sounds immediately; beyond the limit, it is dropped.
  public static let mostLate = 0.1

  /// The instrument on which the part plays.
  public let handle: InstrumentHandle
  /// The shared name of the instrument.
  public let part: String
  private let beat: @Sendable () -> BeatClock
  private let run: Run
  private let soundLead: @Sendable () -> Double
  private let tracker = Locked(NoteTracker())
  private let receivedCounts = Locked(Counts())

  /// The numbers of received events that were played, dropped or too late.
  package struct Counts: Sendable {
    /// Strikes and notes that were played.
    package var played = 0
    /// The part of `played` that sounded after its beat or time.
    package var delayed = 0
    /// The longest delay of the events counted in `delayed`, in seconds.
    var longestDelay = 0.0
    /// Strikes and notes that were dropped, because too many sounded or waited at the same time.
    package var crowded = 0
    /// Strikes and notes that came too late to be played.
    package var late = 0
    /// The greatest lateness of the events counted in `late`, in seconds; events whose beat never comes are left out.
    var latest = 0.0

    package init(
      played: Int = 0, delayed: Int = 0, longestDelay: Double = 0, crowded: Int = 0, late: Int = 0,
      latest: Double = 0
    ) {
      (self.played, self.delayed, self.longestDelay) = (played, delayed, longestDelay)
      (self.crowded, self.late, self.latest) = (crowded, late, latest)
    }
  }

  /// Creates a remote part that acts only during your calls, unlike a part that `open(on:)` of MoConsole has created.
  ///
  /// The part ends notes, and begins the notes of melodies, only when you call `play` or `release`.
  ///
  /// - Parameters:
  ///   - handle: the instrument that plays the events.
  ///   - part: the shared name of the instrument; by default, its own name.
  ///   - beat: a function that returns the beat clock for the times of events.
  public convenience init(
    _ handle: InstrumentHandle, as part: String? = nil, beat: @escaping @Sendable () -> BeatClock
  ) { self.init(handle, as: part, run: .current, beat: beat) }

  /// - Parameter soundLead: the seconds by which sound is computed before it is audible.
  package init(
    _ handle: InstrumentHandle, as part: String? = nil, run: Run,
    soundLead: @escaping @Sendable () -> Double = { MoAudio.soundLead },
    beat: @escaping @Sendable () -> BeatClock
  ) {
    (self.handle, self.part, self.run, self.beat) = (handle, part ?? handle.name, run, beat)
    self.soundLead = soundLead
  }

  /// The seconds by which an event is sent to the instrument before its time.
  private var ahead: Double { max(NoteTracker.leastAhead, soundLead() + 0.05) }

  /// Plays a received event.
  ///
  /// A strike or note that missed its beat by at most `mostLate` sounds immediately; a later strike or note is dropped.
  /// Releases of notes, changes and melodies are played however late they arrive. This function applies the gate's
  /// weight to a parameter change; in the other events, the weight is already included.
  ///
  /// - Returns: false if the event is for another instrument, is not playable, or exceeds a limit. Also false for a
  ///   strike or note that is too late, or whose beat never comes.
  @discardableResult
  public func play(_ heard: SessionHeard) -> Bool {
    guard heard.play.instrument.isEmpty || heard.play.instrument == part else { return false }
    switch heard.play {
    case .hit(let strike):
      guard strike.force > 0, isInTime(heard) else { return false }
      guard strike.drum > 0 else { return counted(sound(.strike(strike.force), at: heard.time), heard) }
      // Each drum has its own key, as in General MIDI percussion.
      let begin = sounding(heard)
      let (key, end) = (Float(strike.drum), begin.moment.later(by: 0.5))
      return counted(update { $0.begin(heard.from, key, strike.force, at: begin.time, end: end) }, heard)
    case .note(let note) where note.velocity == 0:
      let moment = sounding(heard)
      update { $0.letGo(heard.from, note.pitch, at: moment.time) }
    case .note(let note):
      guard isInTime(heard) else { return false }
      let begin = sounding(heard)
      let end = note.length > 0 ? begin.moment.later(by: Double(note.length)) : nil
      return counted(
        update { $0.begin(heard.from, note.pitch, note.velocity, at: begin.time, end: end) }, heard)
    case .melody(let melody):
      play(melody.notes, of: heard.from, from: beginning(heard.time, heard.beat, late: heard.late))
    case .change(let change): return set(change, heard)
    default: return false
    }
    return true
  }

  /// Plays a melody, such as a variation of a received melody, with the sender and time of the received melody.
  ///
  /// - Parameters:
  ///   - melody: the melody to play.
  ///   - heard: the received melody, for its sender and time.
  ///   - beats: the delay after the received melody, in beats.
  public func play(_ melody: Melody, like heard: Heard<SessionMelody>, after beats: Float = 0) {
    let begin = beginning(heard.time, heard.beat, late: heard.late)
    let notes = (0..<melody.count).map { index in
      SessionMelody.Note(
        beat: melody[index].beat, length: melody[index].length, pitch: melody[index].pitch,
        velocity: melody[index].velocity)
    }
    play(notes, of: heard.from, from: begin.later(by: Double(beats)))
  }

  /// Ends all notes of a member.
  public func release(_ owner: MemberID) { release(owner, at: run.clock.now) }

  /// Ends all notes of all members.
  public func releaseAll() { release(nil, at: run.clock.now) }

  /// Ends all notes of a member at a time; nil for all members.
  package func release(_ owner: MemberID?, at time: HostTime) { update { $0.release(owner, at: time) } }

  /// The number of dropped notes.
  ///
  /// A note is dropped if too many notes sound or wait at the same time. A note of a melody is also dropped if it is
  /// more than 20 ms late. A strike on a numbered drum counts as a note. Strikes and single notes that arrive too late
  /// are not counted here.
  public var refused: Int { tracker.withLock { $0.refused } }

  /// The counts of received events.
  package var counts: Counts { receivedCounts.withLock { $0 } }
  /// Returns the counts of received events since the last call of `takeCounts`.
  func takeCounts() -> Counts {
    receivedCounts.withLock { counts in
      defer { counts = Counts() }
      return counts
    }
  }
  /// The members with notes that sound, or that are still to come.
  package var owners: Set<MemberID> { tracker.withLock { $0.owners } }
  /// The number of sounding notes of other members.
  package var sounding: Int { tracker.withLock { $0.count } }

  /// Returns whether a strike or a note can still be played; if not, counts the event as late.
  private func isInTime(_ heard: SessionHeard) -> Bool {
    // The lateness of the network alone: a slow output is late for every strike, and all must sound.
    let missed = run.clock.now.seconds(since: heard.time)
    guard heard.late > 0, !heard.late.isFinite || missed > Self.mostLate else { return true }
    receivedCounts.withLock { counts in
      counts.late += 1
      if heard.late.isFinite { counts.latest = max(counts.latest, heard.late) }
    }
    return false
  }

  /// Counts an event that was not too late: as `played` if `isPlayed`, as `crowded` if not; returns `isPlayed`.
  private func counted(_ isPlayed: Bool, _ heard: SessionHeard) -> Bool {
    receivedCounts.withLock { counts in
      if isPlayed { counts.played += 1 } else { counts.crowded += 1 }
      if isPlayed && heard.late > 0 {
        counts.delayed += 1
        counts.longestDelay = max(counts.longestDelay, heard.late)
      }
    }
    return isPlayed
  }

  /// Returns the start of an event, from which the length of a note is measured.
  ///
  /// The start is the beat or time of the event. A late event starts as soon as its sound can be computed.
  private func sounding(_ heard: SessionHeard) -> (time: HostTime, moment: PartTime) {
    let soonest = run.clock.now.advanced(bySeconds: soundLead())
    let isInTime = heard.late.isFinite && (heard.beat != nil ? heard.late <= 0 : heard.time >= soonest)
    let clock = self.beat()
    guard !isInTime else {
      let moment = heard.beat.map { PartTime.beat($0, take: clock.take(ofBeat: $0, near: heard.time)) }
      return (heard.time, moment ?? .time(heard.time))
    }
    guard heard.beat != nil, let beat = runningBeat(at: soonest) else { return (soonest, .time(soonest)) }
    return (soonest, .beat(beat, take: clock.take(at: soonest)))
  }

  private func set(_ change: SessionChange, _ heard: SessionHeard) -> Bool {
    guard let index = handle.index(of: change.name) else { return false }
    let current = handle.value(index)
    let value = current + heard.weight * (change.value - current)
    return handle.set(index, to: value, heardAt: heard.time) != nil
  }

  private func play(_ notes: [SessionMelody.Note], of owner: MemberID, from begin: PartTime) {
    update { tracker in
      for note in notes where note.velocity > 0 {
        tracker.add(
          NoteTracker.Coming(
            owner: owner, pitch: note.pitch, velocity: note.velocity,
            begin: begin.later(by: Double(note.beat)),
            length: Double(max(note.length, 1.0 / 64))))
      }
      return []
    }
  }

  /// Returns the start of a melody.
  ///
  /// A late melody starts a whole number of beats after its own beat: at the first of these beats for which sound can
  /// still be computed in time. Without a beat or a running rhythm, a late melody starts immediately.
  private func beginning(_ time: HostTime, _ beat: Double?, late: Double) -> PartTime {
    // A late melody of a take that is over keeps this take, so that it is not played.
    let clock = self.beat()
    let take = beat.flatMap { clock.take(ofBeat: $0, near: time) }
    guard late > 0 else { return beat.map { .beat($0, take: take) } ?? .time(time) }
    let now = run.clock.now
    guard let beat, late.isFinite, let soon = runningBeat(at: now.advanced(bySeconds: ahead)) else {
      return .time(now)
    }
    return .beat(beat + max(0, (soon - beat).rounded(.up)), take: take)
  }

  private func runningBeat(at time: HostTime) -> Double? {
    let clock = beat()
    return clock.isPlaying(at: time) ? clock.beat(at: time) : nil
  }

  /// Changes the tracker of notes, and sends the resulting events to the instrument.
  ///
  /// - Returns: false if a note was dropped, or if the instrument did not accept an event.
  @discardableResult
  private func update(_ body: (inout NoteTracker) -> [NoteTracker.Order]) -> Bool {
    let (clock, now) = (beat(), run.clock.now)
    defer { run.input.wakeUp() }
    return tracker.withLock { tracker in
      let before = tracker.refused
      var isDelivered = true
      // Under the lock, so that a note's end never overtakes its beginning.
      for order in body(&tracker) where !sound(order.event, at: order.time) { isDelivered = false }
      let isTaken = tracker.refused == before
      for order in tracker.due(on: clock, at: now, ahead: ahead) { sound(order.event, at: order.time) }
      return isDelivered && isTaken
    }
  }

  /// Sends an event to the instrument in a way that does not pass it to other members, since it came from them.
  ///
  /// - Returns: false if the event is invalid, or if the instrument's queue is full.
  @discardableResult
  private func sound(_ event: InstrumentEvent, at time: HostTime) -> Bool {
    guard let event = event.cleaned else { return false }
    return handle.slot.inbox.add(.event(event), played: time, heard: time)
  }
}

/// The input loop services a remote part, so that notes end at their beat, also in an offline run.
extension RemotePart: EventTimer {
  package var name: String { "what others play on \(handle.name)" }
  package var nextTime: HostTime? { tracker.withLock { $0.next } }
  // An offline run waits for the ends of the notes.
  package var isFinite: Bool { true }

  package func service(until now: HostTime) {
    let clock = beat()
    tracker.withLock { tracker in
      for order in tracker.due(on: clock, at: now, ahead: ahead) { sound(order.event, at: order.time) }
    }
  }
}

extension Melody {
  /// Creates a melody from a received melody, without invalid notes, such as notes that begin after the end of the
  /// melody.
  public init(_ heard: SessionMelody) {
    self.init(
      beats: heard.beats,
      heard.notes.map { Event(beat: $0.beat, length: $0.length, pitch: $0.pitch, velocity: $0.velocity) })
  }
}

extension SessionMelody {
  /// Creates a melody that can be sent to other members.
  public init(_ melody: Melody) {
    self.init(
      beats: melody.beats,
      (0..<melody.count).map { index in
        Note(
          beat: melody[index].beat, length: melody[index].length, pitch: melody[index].pitch,
          velocity: melody[index].velocity)
      })
  }
}
