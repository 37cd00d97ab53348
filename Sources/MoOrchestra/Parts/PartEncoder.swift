import MoCore
import MoInstruments

/// Makes what is played here into what the room is told: notes that are let go as long after as they were held.
///
/// While a rhythm runs, a stroke belongs to the line nearest to its played time, here and elsewhere. If the line comes
/// too soon for the network, the others hear the stroke together, at the first moment that all of them can keep.
///
/// - Thread: one at a time.
struct PartEncoder {
  /// How something is said: the beat for which all hear it, nil for at once.
  typealias Say = (SessionPlay, SessionAim, SessionMoment) -> Double?

  private struct Held {
    var id: Int32
    var pitch: Float
    var time: HostTime
    /// The beat at which the others heard it.
    var beat: Double?
  }

  /// What others call the instrument.
  let part: String
  private var held: [Held] = []
  /// What is to be told at its moment.
  private var waiting: [LocalEvent] = []

  /// Most notes of one's own that are held, and most events that wait for their moment; others sound here alone.
  static let most = 128

  init(part: String) { self.part = part }

  /// Seconds before its moment at which something is told that has a beat: sooner than sound is made.
  static let ahead = 0.25

  /// When there is something to tell; nil for nothing.
  private(set) var next: HostTime?

  /// Takes something that was played.
  mutating func take(_ played: LocalEvent) {
    guard waiting.count < Self.most else { return }
    waiting.append(played)
    next = .distantPast
  }

  /// Tells what is due, in the order in which it was played.
  ///
  /// - Parameter grid: the instrument's; nil if all is to be heard as it is played.
  mutating func tell(until now: HostTime, _ clock: BeatClock, grid: Quantiser?, _ say: Say) {
    let inOrder = waiting.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    waiting = []
    next = nil
    for (_, played) in inOrder {
      let moment = moment(of: played, clock, grid)
      let due = played.time.advanced(bySeconds: moment == .now ? 0 : -Self.ahead)
      if due <= now {
        tell(played, at: moment, say)
      } else {
        waiting.append(played)
        next = min(next ?? .distantFuture, due)
      }
    }
  }

  /// Lets go of all that is held.
  mutating func release(_ say: Say) {
    let all = held
    held = []
    waiting = []
    next = nil
    for note in all { _ = say(end(note), .others, .now) }
  }

  /// When the others are to hear something.
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

  private mutating func tell(_ played: LocalEvent, at moment: SessionMoment, _ say: Say) {
    switch played.event {
    case .strike(let force): _ = say(.hit(SessionHit(force: force, instrument: part)), .others, moment)
    case .noteOn(let note):
      held.removeAll { $0.id == note.id }
      guard held.count < Self.most else { return }
      let beat = say(
        .note(SessionNote(pitch: note.pitch, velocity: note.velocity, instrument: part)), .others, moment)
      held.append(Held(id: note.id, pitch: note.pitch, time: played.time, beat: beat))
    case .noteOff(let note):
      guard let place = held.firstIndex(where: { $0.id == note.id }) else { return }
      let ended = held.remove(at: place)
      // One that was struck again is let go with its last stroke.
      guard !held.contains(where: { $0.pitch == ended.pitch }) else { return }
      _ = say(end(ended), .others, moment)
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
  /// Everybody but oneself.
  fileprivate static let others = crowd(.others)
}
