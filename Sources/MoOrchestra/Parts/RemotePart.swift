import MoCore
import MoInstruments

/// Plays on an instrument what others in a room play: hits, notes, melodies and changes, each at its frame.
///
/// ```swift
/// let echo = try RemotePart.open(on: harp)
/// MoSession.onMelody { heard in echo.play(Melody(heard.played), like: heard) }
/// ```
///
/// It knows no session, so that it plays a tape as it plays a room, in counted time too. What has a beat sounds when
/// that beat reaches the ear. The notes of others are told from one's own, so that neither ends the other's.
///
/// - Thread: any.
/// - Real-time safe: no.
public final class RemotePart: Sendable {
  /// Most notes of others that sound at once; more are left out.
  public static let mostSounding = 128
  /// Most notes of melodies that wait for their beats.
  public static let mostComing = 512
  /// Seconds by which a stroke or a note may have missed its beat; it is then heard at once.
  public static let mostLate = 0.1

  /// What it plays on.
  public let handle: InstrumentHandle
  /// What the instrument is called by those who play it.
  public let part: String
  private let beat: @Sendable () -> BeatClock
  private let run: Run
  private let soundLead: @Sendable () -> Double
  private let desk = Locked(NoteTracker())
  private let tally = Locked(Counts())

  /// What came, and what became of it.
  struct Counts: Sendable {
    /// Strokes and notes that were played.
    var played = 0
    /// Those that found no room: too many at once.
    var crowded = 0
    /// Those that came too late to be.
    var late = 0
    /// By how many seconds the latest did.
    var latest = 0.0
  }

  /// A player that is heard from now on.
  ///
  /// - Parameters:
  ///   - part: what others call the instrument; left out, its own name.
  ///   - beat: the beat at which things are to be heard.
  public convenience init(
    _ handle: InstrumentHandle, as part: String? = nil, beat: @escaping @Sendable () -> BeatClock
  ) { self.init(handle, as: part, run: .current, beat: beat) }

  /// - Parameter soundLead: seconds by which sound is made ahead of being heard.
  package init(
    _ handle: InstrumentHandle, as part: String? = nil, run: Run,
    soundLead: @escaping @Sendable () -> Double = { MoAudio.soundLead },
    beat: @escaping @Sendable () -> BeatClock
  ) {
    (self.handle, self.part, self.run, self.beat) = (handle, part ?? handle.name, run, beat)
    self.soundLead = soundLead
  }

  /// Seconds before its moment at which something is told.
  private var ahead: Double { max(NoteTracker.leastAhead, soundLead() + 0.05) }

  /// Plays what was heard; false for what is for another instrument, is nothing that one plays, or finds no room.
  ///
  /// A stroke or a note that came too late for its beat sounds at once, or is left if its beat has passed by more than
  /// `mostLate`. Notes that are let go, changes and melodies are played however late they come. A gate's weight is in it
  /// already.
  @discardableResult
  public func play(_ heard: SessionHeard) -> Bool {
    guard heard.play.instrument.isEmpty || heard.play.instrument == part else { return false }
    switch heard.play {
    case .hit(let hit):
      guard hit.force > 0, isInTime(heard) else { return false }
      return counted(strike(hit, heard))
    case .note(let note) where note.velocity == 0:
      let moment = sounding(heard)
      tell { $0.letGo(heard.from, note.pitch, at: moment.time) }
    case .note(let note):
      guard isInTime(heard) else { return false }
      let begin = sounding(heard)
      let end = note.length > 0 ? begin.moment.later(by: Double(note.length)) : nil
      return counted(tell { $0.begin(heard.from, note.pitch, note.velocity, at: begin.time, end: end) })
    case .melody(let melody):
      play(melody.notes, of: heard.from, from: beginning(heard.time, heard.beat, late: heard.late))
    case .change(let change): return set(change, heard)
    default: return false
    }
    return true
  }

  /// Plays a melody as one that was heard: a repetition of it, or what was made of it.
  ///
  /// - Parameter beats: how long after the one that was heard.
  public func play(_ melody: Melody, like heard: Heard<SessionMelody>, after beats: Float = 0) {
    let begin = beginning(heard.time, heard.beat, late: heard.late)
    let notes = (0..<melody.count).map { index in
      SessionMelody.Note(
        beat: melody[index].beat, length: melody[index].length, pitch: melody[index].pitch,
        velocity: melody[index].velocity)
    }
    play(notes, of: heard.from, from: begin.later(by: Double(beats)))
  }

  /// Ends what somebody plays.
  public func release(_ owner: MemberID) { tell { $0.release(owner, at: run.clock.now) } }

  /// Ends what anybody plays.
  public func releaseAll() { tell { $0.release(nil, at: run.clock.now) } }

  /// How many notes and events were not played: too many, or too late.
  public var refused: Int { desk.withLock { $0.refused } }

  /// What came, and what became of it.
  var counts: Counts { tally.withLock { $0 } }
  /// Whose notes sound, or are to come.
  var owners: Set<MemberID> { desk.withLock { $0.owners } }
  /// How many notes of others sound.
  var sounding: Int { desk.withLock { $0.count } }

  /// Whether a stroke or a note can still be played; counted if not.
  private func isInTime(_ heard: SessionHeard) -> Bool {
    // By how much the network was late: a slow output is late for every stroke, and all are to be heard.
    let missed = run.clock.now.seconds(since: heard.time)
    guard heard.late > 0, !heard.late.isFinite || missed > Self.mostLate else { return true }
    tally.withLock { counts in
      counts.late += 1
      if heard.late.isFinite { counts.latest = max(counts.latest, heard.late) }
    }
    return false
  }

  /// Counts one that was in time, by what became of it.
  private func counted(_ isPlayed: Bool) -> Bool {
    tally.withLock { counts in
      if isPlayed { counts.played += 1 } else { counts.crowded += 1 }
    }
    return isPlayed
  }

  private func strike(_ hit: SessionHit, _ heard: SessionHeard) -> Bool {
    guard hit.drum > 0 else { return sound(.strike(hit.force), at: heard.time) }
    // A drum is a key of its own, as General MIDI counts percussion.
    let begin = sounding(heard)
    let end = begin.moment.later(by: 0.5)
    return tell { $0.begin(heard.from, Float(hit.drum), hit.force, at: begin.time, end: end) }
  }

  /// When something is heard, from which its length counts: at its beat, or as soon as sound can be made.
  private func sounding(_ heard: SessionHeard) -> (time: HostTime, moment: PartTime) {
    let soonest = run.clock.now.advanced(bySeconds: soundLead())
    let isInTime = heard.late.isFinite && (heard.beat != nil ? heard.late <= 0 : heard.time >= soonest)
    guard !isInTime else { return (heard.time, heard.moment) }
    guard heard.beat != nil, let beat = runningBeat(at: soonest) else { return (soonest, .time(soonest)) }
    return (soonest, .beat(beat))
  }

  private func set(_ change: SessionChange, _ heard: SessionHeard) -> Bool {
    guard let index = handle.index(of: change.name) else { return false }
    let current = handle.value(index)
    let value = current + heard.weight * (change.value - current)
    return handle.set(index, to: value, heardAt: heard.time) != nil
  }

  private func play(_ notes: [SessionMelody.Note], of owner: MemberID, from begin: PartTime) {
    tell { desk in
      for note in notes where note.velocity > 0 {
        desk.add(
          NoteTracker.Coming(
            owner: owner, pitch: note.pitch, velocity: note.velocity,
            begin: begin.later(by: Double(note.beat)),
            length: Double(max(note.length, 1.0 / 64))))
      }
      return []
    }
  }

  /// When a melody begins; one that came too late on the next beat that it could have begun on.
  private func beginning(_ time: HostTime, _ beat: Double?, late: Double) -> PartTime {
    guard late > 0 else { return beat.map { PartTime.beat($0) } ?? .time(time) }
    let now = run.clock.now
    guard let beat, late.isFinite, let soon = runningBeat(at: now.advanced(bySeconds: ahead)) else {
      return .time(now)
    }
    return .beat(beat + max(0, (soon - beat).rounded(.up)))
  }

  private func runningBeat(at time: HostTime) -> Double? {
    let clock = beat()
    return clock.isPlaying(at: time) ? clock.beat(at: time) : nil
  }

  /// Changes what is played, and tells the instrument what follows from it; false where something found no room.
  @discardableResult
  private func tell(_ body: (inout NoteTracker) -> [NoteTracker.Order]) -> Bool {
    let (clock, now) = (beat(), run.clock.now)
    defer { run.input.lookAgain() }
    return desk.withLock { desk in
      let before = desk.refused
      var isTold = true
      // Under the lock, so that a note's end never overtakes its beginning.
      for order in body(&desk) where !sound(order.event, at: order.time) { isTold = false }
      let isTaken = desk.refused == before
      for order in desk.due(on: clock, at: now, ahead: ahead) { sound(order.event, at: order.time) }
      return isTold && isTaken
    }
  }

  /// Straight to the sound: what others play is not one's own, and is not told them again.
  @discardableResult
  private func sound(_ event: InstrumentEvent, at time: HostTime) -> Bool {
    guard let event = event.cleaned else { return false }
    return handle.seat.send(.event(event), played: time, heard: time)
  }
}

/// Driven as other inputs are, so that notes end by themselves: by the beat, and offline in counted time.
extension RemotePart: EventSource {
  package var name: String { "what others play on \(handle.name)" }
  package var descriptor: Int32? { nil }
  package var nextTime: HostTime? { desk.withLock { $0.next } }
  // An end that others have found is not put off by it.
  package var isFinite: Bool { true }

  package func service(until now: HostTime) {
    let clock = beat()
    desk.withLock { desk in
      for order in desk.due(on: clock, at: now, ahead: ahead) { sound(order.event, at: order.time) }
    }
  }
}

extension SessionHeard {
  /// When it sounds: at its beat, where it has one that is to come.
  var moment: PartTime {
    guard let beat, late.isFinite else { return .time(time) }
    return .beat(beat)
  }
}

extension Melody {
  /// A melody as it was heard; notes that cannot be taken are left out.
  public init(_ heard: SessionMelody) {
    self.init(
      beats: heard.beats,
      heard.notes.map { Event(beat: $0.beat, length: $0.length, pitch: $0.pitch, velocity: $0.velocity) })
  }
}

extension SessionMelody {
  /// A melody to be sent.
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
