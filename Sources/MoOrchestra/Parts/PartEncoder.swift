import MoCore
import MoInstruments

/// An encoder that converts the notes and strikes of an instrument on this machine to events for the other members.
///
/// Other members hold a note for as many beats as the note was held here. While a rhythm runs, a strike or the start of
/// a note belongs to the grid line nearest to its played time, here and on the other machines. If this line comes too
/// soon for the network, all other members play the event together, as soon as the event can have reached them all.
///
/// - Thread: any, but one at a time.
package struct PartEncoder {
  /// A function that sends an event, and returns the beat at which other members play it; nil if they play it on
  /// arrival.
  package typealias Send = (SessionPlay, SessionAim, SessionMoment) -> Double?

  private struct Held {
    var id: Int32
    var pitch: Float
    var time: HostTime
    /// The beat at which the other members begin the note; nil if they begin it on arrival.
    var beat: Double?
    /// The take of `beat`; nil if an announced start ends this take.
    var beatTake: UInt32?
    /// The beat at `time`, and its take, when the note was sent.
    var begun: Double?
    var take: UInt32?
    /// The seconds by which the note was sent before its time.
    var lead: Double
  }

  /// The shared name of the instrument.
  let part: String
  private var held: [Held] = []
  /// The events that are not sent yet, because their time has not come.
  private var waiting: [LocalEvent] = []

  /// The largest number of held notes, and of strikes and starts of notes that are not sent yet; further strikes and
  /// notes sound only here.
  package static let most = 128

  package init(part: String) { self.part = part }

  /// Returns the seconds by which an event with a beat is sent before its time.
  ///
  /// These seconds are longer than the largest lead of a message to all members, so that the event sounds at its beat
  /// on every machine. In a large room on a slow network, this lead is at most 0.4 s, plus the time by which sound is
  /// computed in advance.
  ///
  /// - Parameter soundLead: the seconds by which sound is computed before it is audible.
  static func ahead(soundLead: Double) -> Double { max(0.02, soundLead) + 0.45 }

  /// The time at which the next event must be sent; nil if no event waits.
  package private(set) var next: HostTime?

  /// Whether no note is held, and no event waits to be sent.
  var isEmpty: Bool { held.isEmpty && waiting.isEmpty }

  /// Adds a played event; the order of the calls is the order in which the events were played.
  ///
  /// All notes off drops the strikes and the starts of notes that were added before it, and that are to sound after it.
  package mutating func add(_ played: LocalEvent) {
    if case .allOff = played.event { waiting.removeAll { !$0.event.isEnd && $0.time > played.time } }
    guard played.event.isEnd || waiting.count(where: { !$0.event.isEnd }) < Self.most else { return }
    waiting.append(played)
    next = .distantPast
  }

  /// Sends the events that are due, in the order of their times.
  ///
  /// The end of a note can be played before its start is to sound. It is then sent after this start.
  ///
  /// A release is sent as many seconds before its time as its note was. So the release of a key that is struck again
  /// is still here when the next strike is sent.
  ///
  /// - Parameters:
  ///   - grid: the instrument's grid; nil to keep the played times.
  ///   - soundLead: the seconds by which sound is computed before it is audible.
  package mutating func sendDue(
    until now: HostTime, _ clock: BeatClock, grid: Quantiser?, soundLead: Double = MoAudio.soundLead,
    _ send: Send
  ) {
    var inOrder = waiting.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    waiting = []
    next = nil
    var place = 0
    while place < inOrder.count {
      let offset = inOrder[place].offset
      var played = inOrder[place].element
      place += 1
      if case .noteOff(let note) = played.event, !isKnown(note.id) {
        // A note that sounds only here has no end for the other members, and an end belongs to no later strike.
        let isStart = { (other: (offset: Int, element: LocalEvent)) in
          other.offset < offset && other.element.starts(note.id)
        }
        guard let start = inOrder[place...].firstIndex(where: isStart) else { continue }
        played.time = inOrder[start].element.time
        inOrder.insert((offset, played), at: start + 1)
        continue
      }
      let moment = moment(of: played, clock, grid)
      let lead = moment == .now ? 0 : lead(of: played) ?? Self.ahead(soundLead: soundLead)
      let due = played.time.advanced(bySeconds: -lead)
      if due <= now {
        sendEvent(played, at: moment, now, clock, send)
      } else {
        waiting.append(played)
        next = min(next ?? .distantFuture, due)
      }
    }
  }

  /// Ends all held notes for the other members, and drops the events that are not sent yet.
  ///
  /// The other members keep the start of a note until its beat. An immediate end would overtake this start, so a note
  /// that they have not begun ends at a beat.
  package mutating func release(at now: HostTime, _ clock: BeatClock, _ send: Send) {
    waiting = []
    next = nil
    releaseHeld(at: now, clock, send)
  }

  private mutating func releaseHeld(at now: HostTime, _ clock: BeatClock, _ send: Send) {
    let all = held
    held = []
    let here = clock.beat(at: now) ?? 0
    for note in all {
      // Before an announced start, the beat of a note may belong to either take.
      let hasBegun = now >= note.time && note.beat ?? here <= here && clock.take(at: now) != nil
      _ = send(end(note), .others, hasBegun ? .now : moment(note, now, clock))
    }
  }

  /// Returns the moment at which the other members play an event.
  private func moment(of played: LocalEvent, _ clock: BeatClock, _ grid: Quantiser?) -> SessionMoment {
    switch played.event {
    case .noteOff(let note):
      guard let held = held.first(where: { $0.id == note.id }) else { return .now }
      return moment(held, played.time, clock)
    case .allOff: return .now
    default:
      guard clock.isPlaying(at: played.time) else { return .now }
      let line = { grid?.beats(ofPlayed: played.time, on: clock)?.line }
      let beat = played.isHeard ? clock.beat(at: played.time) : line()
      return beat.map { .soonest(from: $0) } ?? .now
    }
  }

  /// Returns whether a note is held, or its start is not sent yet.
  private func isKnown(_ id: Int32) -> Bool {
    held.contains { $0.id == id } || waiting.contains { $0.starts(id) }
  }

  /// Returns the seconds by which the release of a held note is sent before its time; nil for another event.
  private func lead(of played: LocalEvent) -> Double? {
    guard case .noteOff(let note) = played.event else { return nil }
    return held.first { $0.id == note.id }?.lead
  }

  private mutating func sendEvent(
    _ played: LocalEvent, at moment: SessionMoment, _ now: HostTime, _ clock: BeatClock, _ send: Send
  ) {
    switch played.event {
    case .strike(let force): _ = send(.hit(SessionHit(force: force, instrument: part)), .others, moment)
    case .noteOn(let note):
      held.removeAll { $0.id == note.id }
      guard held.count < Self.most else { return }
      let beat = send(
        .note(SessionNote(pitch: note.pitch, velocity: note.velocity, instrument: part)), .others, moment)
      let lead = max(0, played.time.seconds(since: now))
      held.append(
        Held(
          id: note.id, pitch: note.pitch, time: played.time, beat: beat,
          beatTake: beat.flatMap { clock.take(ofBeat: $0, near: now) }, begun: clock.beat(at: played.time),
          take: clock.take(at: played.time), lead: lead))
    case .noteOff(let note):
      guard let place = held.firstIndex(where: { $0.id == note.id }) else { return }
      let ended = held.remove(at: place)
      // A note that was struck again is released with its last strike.
      guard !held.contains(where: { $0.pitch == ended.pitch }) else { return }
      _ = send(end(ended), .others, moment)
    case .allOff: releaseHeld(at: now, clock, send)
    default: break
    }
  }

  private func end(_ note: Held) -> SessionPlay {
    .note(SessionNote(pitch: note.pitch, velocity: 0, instrument: part))
  }

  /// Returns the moment at which the other members release a note.
  ///
  /// The other members hold the note for as many beats as it was held here, but at least for 1/64 of a beat. If the
  /// rhythm has stopped or started anew since the note began here, they release the note on arrival. If they begin the
  /// note only after the new start, they release it right after its beat.
  private func moment(_ note: Held, _ time: HostTime, _ clock: BeatClock) -> SessionMoment {
    // The release of a note can be played before its start is to sound.
    let time = max(time, note.time)
    guard let beat = note.beat, let begun = note.begun, clock.isPlaying(at: time),
      let ended = clock.beat(at: time)
    else { return .now }
    let take = clock.take(at: time)
    // Before an announced start, the take is not known. A correction of the clock sets the beat back by less.
    if take == nil || take == note.take, ended > begun - 0.1 {
      return .beat(beat + max(1.0 / 64, ended - begun))
    }
    return take != nil && take == note.beatTake && ended < beat ? .beat(beat + 1.0 / 64) : .now
  }
}

extension LocalEvent {
  /// Returns whether the event starts the note with an ID.
  fileprivate func starts(_ id: Int32) -> Bool {
    if case .noteOn(let note) = event { note.id == id } else { false }
  }
}

extension SessionAim {
  /// All members except this member.
  fileprivate static let others = crowd(.others)
}
