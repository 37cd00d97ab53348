import MoCore
import MoInstruments

/// What others play on an instrument: which of their notes sound, when those end, and what is to come.
///
/// A plain value: it says what the instrument is to be told, and when.
struct NoteTracker: Sendable {
  /// Something that the instrument is told.
  struct Order: Sendable {
    var event: InstrumentEvent
    var time: HostTime
  }

  private struct Sounding: Sendable {
    var owner: MemberID
    var pitch: Float
    var id: Int32
    var began: HostTime
    /// When it ends by itself; nil until it is let go.
    var end: PartTime?
  }

  /// A note of a melody.
  struct Coming: Sendable {
    var owner: MemberID
    var pitch: Float
    var velocity: Float
    var begin: PartTime
    /// In beats.
    var length: Double
  }

  private var sounding: [Sounding] = []
  private var coming: [Coming] = []
  private var begun: Int32 = 0
  /// What found no room, or was too late.
  private(set) var refused = 0
  /// When there is something to do; nil for nothing.
  private(set) var next: HostTime?

  /// Least seconds before its moment at which something is told: later than changes of the tempo are announced.
  static let leastAhead = 0.15
  /// Seconds after which it is looked whether the tempo has moved something.
  static let look = 0.1
  /// Seconds by which a note of a melody may have been missed and is played all the same.
  static let grace = 0.02

  /// Whose notes sound, or are to come.
  var owners: Set<MemberID> { Set(sounding.map(\.owner) + coming.map(\.owner)) }

  /// How many notes sound.
  var count: Int { sounding.count }

  /// Begins a note; one of the same player and pitch ends.
  mutating func begin(
    _ owner: MemberID, _ pitch: Float, _ velocity: Float, at time: HostTime, end: PartTime?
  ) -> [Order] {
    var orders = letGo(owner, pitch, at: time)
    guard sounding.count < RemotePart.mostSounding else {
      refused += 1
      return orders
    }
    // Far from the numbers of one's own keys, and of movement's notes.
    begun = (begun + 1) % 1_000_000
    let id = -1_000_000 - begun
    sounding.append(Sounding(owner: owner, pitch: pitch, id: id, began: time, end: end))
    orders.append(Order(event: .noteOn(Note(pitch, velocity: velocity, id: id)), time: time))
    return orders
  }

  /// Lets a note go.
  mutating func letGo(_ owner: MemberID, _ pitch: Float, at time: HostTime) -> [Order] {
    guard let place = sounding.firstIndex(where: { $0.owner == owner && $0.pitch == pitch }) else {
      return []
    }
    return [Self.end(sounding.remove(at: place), at: time)]
  }

  /// Notes something that is to come.
  mutating func add(_ note: Coming) {
    guard coming.count < RemotePart.mostComing else {
      refused += 1
      return
    }
    coming.append(note)
  }

  /// Ends all that somebody plays, or all that anybody does.
  mutating func release(_ owner: MemberID?, at time: HostTime) -> [Order] {
    coming.removeAll { owner == nil || $0.owner == owner }
    let ending = sounding.filter { owner == nil || $0.owner == owner }
    sounding.removeAll { owner == nil || $0.owner == owner }
    return ending.map { Self.end($0, at: time) }
  }

  /// What the instrument is to be told now, and when there is more.
  ///
  /// - Parameter ahead: seconds before its moment at which something is told: sooner than sound is made.
  mutating func due(on clock: BeatClock, at now: HostTime, ahead: Double) -> [Order] {
    var orders: [Order] = []
    begin(&orders, clock, now, ahead)
    end(&orders, clock, now, ahead)
    next = nil
    for moment in sounding.compactMap(\.end) + coming.map(\.begin) {
      guard let time = moment.time(on: clock, at: now) else { continue }
      var look = time.advanced(bySeconds: -ahead)
      if case .beat = moment { look = min(look, now.advanced(bySeconds: Self.look)) }
      next = min(next ?? .distantFuture, look)
    }
    return orders
  }

  private mutating func begin(_ orders: inout [Order], _ clock: BeatClock, _ now: HostTime, _ ahead: Double) {
    let waiting = coming
    coming = []
    for note in waiting {
      // What a stop has cut off is not played.
      guard let time = note.begin.time(on: clock, at: now) else { continue }
      guard time.advanced(bySeconds: -ahead) <= now else {
        coming.append(note)
        continue
      }
      guard time.advanced(bySeconds: Self.grace) >= now, !isOver(note.begin, clock, now) else {
        refused += 1
        continue
      }
      orders += begin(
        note.owner, note.pitch, note.velocity, at: time, end: note.begin.later(by: note.length))
    }
  }

  /// Whether a beat has passed by more than what is still played.
  private func isOver(_ moment: PartTime, _ clock: BeatClock, _ now: HostTime) -> Bool {
    guard case .beat(let beat) = moment, let here = clock.beat(at: now.advanced(bySeconds: -Self.grace))
    else {
      return false
    }
    return here > beat
  }

  private mutating func end(_ orders: inout [Order], _ clock: BeatClock, _ now: HostTime, _ ahead: Double) {
    for place in sounding.indices.reversed() {
      guard let moment = sounding[place].end else { continue }
      // Where the rhythm has stopped nothing sounds on.
      let time = moment.time(on: clock, at: now) ?? now
      guard time.advanced(bySeconds: -ahead) <= now else { continue }
      orders.append(Self.end(sounding.remove(at: place), at: time))
    }
  }

  private static func end(_ note: Sounding, at time: HostTime) -> Order {
    // One that has been handed over for a moment to come must not begin after its end.
    Order(event: .noteOff(Note(note.pitch, velocity: 0.5, id: note.id)), time: max(time, note.began))
  }
}
