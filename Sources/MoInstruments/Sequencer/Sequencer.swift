import MoCore
import MoDSP

/// Decides when each event of an instrument is heard: a value that takes events and emits them with their times.
///
/// There are two kinds of time. An event's *played* time is when the hand moved; the beat there is the beat that the
/// player heard then. Its *heard* time is when its sound reaches the ear, later by the play-through delay. Every musical
/// decision (which line of a grid, which beat of a loop, how long a note) uses the played time:
///
/// - With no grid an event is heard the play-through delay after it was played.
/// - On a grid a note or stroke belongs to the line nearest to its played time. It is heard on that line if the line is
///   still to come at the ear, else the play-through delay after it was played.
/// - A note's end and its moves are heard as long after its beginning as they were played after it.
/// - A loop records the played beat, or the line.
///
/// - Thread: one owner, the audio thread.
/// - Real-time safe: yes, but for `init`.
struct Sequencer: ~Copyable {
  /// An event on its way.
  struct Item: Sendable, BitwiseCopyable {
    var event: SlotEvent
    /// How many had been taken before it.
    var order: UInt32

    /// Whether a sound begins with it.
    var isStart: Bool {
      switch event {
      case .event(.noteOn), .event(.strike): true
      default: false
      }
    }
  }

  /// What a block says about time.
  struct Window {
    /// When the block's first frame is heard.
    var heard: HostTime
    /// When strokes were played that are heard with the block's first frame, and with the frame after its last.
    var played: (first: HostTime, end: HostTime)
    /// The beat, if there is one.
    var clock: BeatClock?

    init(_ block: borrowing AudioBlock, _ clock: BeatClock?) {
      heard = block.time(0)
      played = (block.playedTime(0), block.playedTime(block.frames.count))
      self.clock = clock
    }

    /// Nanoseconds from a stroke to its sound.
    var playThrough: Int64 { heard.nanoseconds(since: played.first) }
  }

  /// The grid; nil for none.
  var quantiser: Quantiser?
  /// Whether the instrument follows a grid of its own, so that its events are left as they are.
  let hasOwnGrid: Bool
  /// The recorder and player of loops.
  ///
  /// It has memory of its own, since its melodies would make every copy on the stack too large for an audio thread.
  /// Copy the pointer before you change its target. Swift 6.3 cannot compile a change through the property under
  /// ThreadSanitizer.
  let looper: UnsafeMutablePointer<Looper>
  /// How many starts found no room.
  private var dropped = 0

  /// Events whose played time is to come.
  private var unplayed: TimeHeap<Item>
  /// Events by their heard time.
  private var coming: TimeHeap<Item>
  private var begun = StartedNotes()
  private var taken: UInt32 = 0
  /// The latest played time of an event that has been played: what comes without a time follows it.
  private var latest = HostTime.distantPast

  /// Places that are kept for the ends of notes.
  private static let reserve = 128

  /// - Parameter capacity: how many events may wait.
  init(capacity: Int, hasOwnGrid: Bool) {
    unplayed = TimeHeap(capacity: capacity)
    coming = TimeHeap(capacity: capacity)
    self.hasOwnGrid = hasOwnGrid
    looper = .allocate(capacity: 1)
    looper.initialize(to: Looper())
  }

  deinit {
    looper.deinitialize(count: 1)
    looper.deallocate()
  }

  /// When the next event is heard; nil if none waits.
  var nextTime: HostTime? { coming.nextTime }

  /// Takes an event that was played, or will be.
  ///
  /// - Parameter played: when; `distantPast` for now, after what came before it.
  /// - Returns: false for the end of a note that found no room.
  mutating func take(_ event: SlotEvent, played: HostTime, _ window: Window) -> Bool {
    let time = played == .distantPast ? max(latest, window.played.first) : played
    let item = Item(event: event, order: nextOrder())
    guard time > window.played.end else {
      latest = max(latest, time)
      return place(item, played: time, window)
    }
    return wait(item, played: time)
  }

  /// Takes an event that is to be heard at a moment, whatever the grid.
  ///
  /// - Returns: false for the end of a note that found no room.
  mutating func take(_ event: SlotEvent, heard: HostTime, _ window: Window) -> Bool {
    let item = Item(event: event, order: nextOrder())
    switch event {
    case .event(.noteOn(let note)):
      begun.add(StartedNotes.Begun(id: note.id, heard: heard, shift: 0, beats: 0))
      hear(.noteOn(note), played: heard, beats: 0, window)
    case .event(.noteOff(let note)):
      hear(.noteOff(note), played: heard, beats: 0, window)
      return wait(item, heard: max(heard, begun.remove(note.id)?.heard ?? begun.unknownHeard))
    default: break
    }
    return wait(item, heard: heard)
  }

  /// Decides about the events whose played time has come; once a block, after the new ones were taken.
  ///
  /// - Returns: false if the end of a note found no room.
  mutating func advance(_ window: Window) -> Bool {
    var isWhole = true
    while let entry = unplayed.removeFirst(dueBy: window.played.end) {
      latest = max(latest, entry.time)
      if !place(entry.element, played: entry.time, window) { isWhole = false }
    }
    return isWhole
  }

  /// The next event that is heard by a moment.
  ///
  /// What lets every note go takes back the starts that were sent before it.
  mutating func next(heardBy time: HostTime) -> SlotEvent? {
    guard let entry = coming.removeFirst(dueBy: time) else { return nil }
    if case .event(.allOff) = entry.element.event { takeBackStarts(before: entry.element.order) }
    return entry.element.event
  }

  /// How many starts found no room since this was last asked.
  mutating func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  /// Forgets the starts that wait, and counts them: the end of one of them has been lost.
  mutating func removeStarts() {
    let before = coming.count &+ unplayed.count
    unplayed.removeAll { $0.isStart }
    coming.removeAll { $0.isStart }
    dropped &+= before &- coming.count &- unplayed.count
  }

  /// Forgets all that waits.
  mutating func removeAll() {
    unplayed.removeAll { _ in true }
    coming.removeAll { _ in true }
    begun.removeAll()
  }

  /// Takes over what waits in another: its events, and its notes that have begun.
  mutating func inherit(_ other: inout Sequencer) {
    (begun, latest) = (other.begun, other.latest)
    while let entry = other.unplayed.removeFirst(dueBy: .distantFuture) {
      if case .event = entry.element.event { _ = wait(renumbered(entry.element), played: entry.time) }
    }
    while let entry = other.coming.removeFirst(dueBy: .distantFuture) {
      if case .event = entry.element.event { _ = wait(renumbered(entry.element), heard: entry.time) }
    }
  }
}

extension Sequencer {
  /// Decides when something that has been played is heard.
  private mutating func place(_ item: Item, played: HostTime, _ window: Window) -> Bool {
    let soonest = max(played.advanced(byNanoseconds: window.playThrough), window.heard)
    switch item.event {
    case .event(.noteOn(let note)):
      let line = line(for: played, window)
      let heard = max(line?.time ?? soonest, soonest)
      begun.add(
        StartedNotes.Begun(
          id: note.id, heard: heard, shift: heard.nanoseconds(since: played), beats: line?.beats ?? 0))
      hear(.noteOn(note), played: played, beats: line?.beats ?? 0, window)
      return wait(item, heard: heard)
    case .event(.strike):
      return wait(item, heard: max(line(for: played, window)?.time ?? soonest, soonest))
    case .event(.noteOff(let note)):
      let start = begun.remove(note.id)
      hear(.noteOff(note), played: played, beats: start?.beats ?? 0, window)
      return wait(item, heard: begun.heard(start, played: played, soonest: soonest))
    case .event(.noteMove(let note)):
      return wait(item, heard: begun.heard(begun[note.id], played: played, soonest: soonest))
    case .event(.motion):
      guard wait(item, heard: soonest) else { return false }
      return tellPassedLine(before: soonest, played, window)
    default: return wait(item, heard: soonest)
    }
  }

  /// The line that something belongs to: its moment, nil if that has passed; and the beats to it from the played one.
  private func line(for played: HostTime, _ window: Window) -> (time: HostTime?, beats: Double)? {
    guard !hasOwnGrid, let clock = window.clock,
      let beats = quantiser?.beats(ofPlayed: played, on: clock)
    else {
      return nil
    }
    let time = beats.line > beats.played ? clock.time(ofBeat: beats.line, from: played) : nil
    return (time, beats.line - beats.played)
  }

  /// Tells an instrument that follows a movement by itself of the line that the movement belongs to, if that has passed.
  ///
  /// It waits for a line otherwise, and would be a step late.
  private mutating func tellPassedLine(before heard: HostTime, _ played: HostTime, _ window: Window) -> Bool {
    guard let quantiser, !hasOwnGrid, !quantiser.isFree, let clock = window.clock, let course = clock.course,
      clock.isPlaying(at: played), let beat = clock.beat(at: played)
    else { return true }
    let session = clock.sessionTime(at: played)
    let nearest = quantiser.nearestLine(to: beat, from: course.segment(at: session).barBeat)
    if nearest > beat {
      guard let time = course.moment(ofBeat: nearest, from: session), clock.hostTime(at: time) <= heard else {
        return true
      }
    }
    let line = GridLine(at: played, beat: nearest, on: clock, quantiser)
    return wait(Item(event: .event(.line(line)), order: nextOrder()), heard: heard)
  }

  /// Writes a note down, if that was asked for.
  private mutating func hear(_ event: InstrumentEvent, played: HostTime, beats: Double, _ window: Window) {
    let looper = looper
    guard looper.pointee.isRecording, let clock = window.clock, let course = clock.course else { return }
    let beat = looper.pointee.beat(ofPlayed: clock.sessionTime(at: played), on: course)
    looper.pointee.hear(event, beat: beat + beats, played: beat)
  }

  /// Has an event wait until it is heard.
  private mutating func wait(_ item: Item, heard time: HostTime) -> Bool {
    if item.isStart, isCrowded(coming.count) { return true }
    return coming.add(item, at: time)
  }

  /// Has an event wait until it is played.
  private mutating func wait(_ item: Item, played time: HostTime) -> Bool {
    if item.isStart, isCrowded(unplayed.count) { return true }
    return unplayed.add(item, at: time)
  }

  /// Whether a start finds no room, and counts it: some places are kept for the ends of notes.
  private mutating func isCrowded(_ count: Int) -> Bool {
    guard coming.capacity &- count <= Self.reserve else { return false }
    dropped &+= 1
    return true
  }

  private mutating func nextOrder() -> UInt32 {
    taken &+= 1
    return taken
  }

  private mutating func renumbered(_ item: Item) -> Item { Item(event: item.event, order: nextOrder()) }

  private mutating func takeBackStarts(before order: UInt32) {
    // A difference, since the count begins anew at its end.
    unplayed.removeAll { $0.isStart && Int32(bitPattern: $0.order &- order) < 0 }
    coming.removeAll { $0.isStart && Int32(bitPattern: $0.order &- order) < 0 }
  }
}
