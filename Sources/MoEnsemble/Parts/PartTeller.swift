import MoInstruments
import MoOrchestra
import MoTime

/// Makes what is played here into what the room is told: notes that are let go as long after as they were held.
///
/// - Thread: one at a time.
struct PartTeller {
  /// How something is said: the beat for which all hear it, nil for at once.
  typealias Say = (SessionPlay, SessionAim, SessionMoment) -> Double?

  private struct Held {
    var id: Int32
    var pitch: Float
    var time: HostTime
    /// Whether it sounds here only by the room's answer.
    var isFromRoom: Bool
    /// For which beat all heard it.
    var beat: Double?
  }

  /// What others call the instrument.
  let part: String
  private var held: [Held] = []
  /// What is to be told at its moment.
  private var waiting: [PlayedHere] = []

  /// Most notes of one's own that are held, and most events that wait for their moment; others sound here alone.
  static let most = 128

  init(part: String) { self.part = part }

  /// When there is something to tell; nil for nothing.
  var next: HostTime? { waiting.map(\.time).min() }

  /// Takes something that was played.
  mutating func take(_ played: PlayedHere) {
    if waiting.count < Self.most { waiting.append(played) }
  }

  /// Tells what is due, in the order in which it was played.
  mutating func tell(until now: HostTime, _ clock: BeatClock, grid: BeatGrid, _ say: Say) {
    let due = waiting.enumerated().filter { $0.element.time <= now }
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    waiting.removeAll { $0.time <= now }
    for (_, played) in due { tell(played, clock, grid, say) }
  }

  /// Lets go of all that is held.
  mutating func release(_ say: Say) {
    let all = held
    held = []
    waiting = []
    for note in all { _ = say(end(note), note.isFromRoom ? .everyone : .others, .now) }
  }

  private mutating func tell(_ played: PlayedHere, _ clock: BeatClock, _ grid: BeatGrid, _ say: Say) {
    let (aim, moment): (SessionAim, SessionMoment) =
      played.isFromRoom ? (.everyone, .next(grid)) : (.others, .now)
    switch played.event {
    case .strike(let force): _ = say(.hit(SessionHit(force: force, instrument: part)), aim, moment)
    case .noteOn(let note):
      held.removeAll { $0.id == note.id }
      guard held.count < Self.most else { return }
      let beat = say(
        .note(SessionNote(pitch: note.pitch, velocity: note.velocity, instrument: part)), aim, moment)
      held.append(
        Held(
          id: note.id, pitch: note.pitch, time: played.time, isFromRoom: played.isFromRoom, beat: beat))
    case .noteOff(let note):
      guard let place = held.firstIndex(where: { $0.id == note.id }) else { return }
      let ended = held.remove(at: place)
      // One that was struck again is let go with its last stroke.
      guard !held.contains(where: { $0.pitch == ended.pitch }) else { return }
      _ = say(end(ended), ended.isFromRoom ? .everyone : .others, self.moment(ended, played.time, clock))
    case .allOff: release(say)
    default: break
    }
  }

  private func end(_ note: Held) -> SessionPlay {
    .note(SessionNote(pitch: note.pitch, velocity: 0, instrument: part))
  }

  /// When a note is let go: as long after its beat as it was held.
  private func moment(_ note: Held, _ time: HostTime, _ clock: BeatClock) -> SessionMoment {
    guard let beat = note.beat, clock.isPlaying(at: time), let begun = clock.beat(at: note.time),
      let ended = clock.beat(at: time)
    else { return .now }
    return .beat(beat + max(1.0 / 64, ended - begun))
  }
}

extension SessionAim {
  /// Everybody, oneself too.
  fileprivate static let everyone = crowd(.everyone)
  /// Everybody but oneself.
  fileprivate static let others = crowd(.others)
}
