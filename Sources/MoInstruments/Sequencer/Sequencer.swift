import MoCore
import MoDSP

/// Decides when each event of an instrument is heard: accepts events, and returns each event when its heard time has
/// come.
///
/// There are two kinds of time. An event's *played* time is when the hand moved; the beat at that time is
/// the beat that the player heard then. Its *heard* time is when its sound reaches the ear, later by the
/// play-through delay. Every musical decision (the line of a grid, the beat of a loop, the length of a
/// note) uses the played time:
///
/// - Without a grid, the heard time of an event is its played time plus the play-through delay.
/// - On a grid, a note or strike belongs to the line nearest to its played time. If that line is still to be heard, the
///   note or strike is heard on the line. Otherwise, it is heard as without a grid.
/// - The end and the moves of a note keep their distance from its beginning.
/// - A loop records the beat at which a note was played, or the beat of the note's grid line.
///
/// - Thread: one owner, the audio thread.
/// - Real-time safe: yes, except `init`.
struct Sequencer: ~Copyable {
  /// An event that waits for its played time or its heard time.
  struct Item: Sendable, BitwiseCopyable {
    var event: SlotEvent
    /// The number of the event, in the order in which events were received.
    var order: UInt32

    /// Whether the event starts a sound.
    var isStart: Bool {
      switch event {
      case .event(.noteOn), .event(.strike): true
      default: false
      }
    }
  }

  /// The grid to which notes and strikes are moved; nil for none.
  var quantiser: Quantiser?
  /// Whether the instrument has a grid of its own, so that its events are not quantised.
  let hasOwnGrid: Bool
  /// The recorder and player of loops.
  ///
  /// The looper has its own memory, because its melodies would make every copy on the stack too large for an audio
  /// thread. Copy the pointer before you change the looper: Swift 6.3 cannot compile a change through the property
  /// under ThreadSanitizer.
  let looper: UnsafeMutablePointer<Looper>
  /// The number of the last order that the loop has carried out, such as an order to record; 0 before the first order.
  ///
  /// Orders are numbered from 1.
  var ordersDone = 0
  /// The number of starts (see `Item.isStart`) dropped since the last `takeDropped`.
  private var dropped = 0

  /// Events whose played time is in the future.
  private var unplayed: TimeHeap<Item>
  /// Events whose played time has come, ordered by the times at which they are heard.
  private var coming: TimeHeap<Item>
  private var begun = StartedNotes()
  private var taken: UInt32 = 0
  /// The latest played time so far; an event without a time counts as played at this time or later.
  private var latest = HostTime.distantPast

  /// The number of slots in each queue that notes and strikes leave free, so that ends of notes always find a slot.
  private static let reserve = 128

  /// - Parameter capacity: the maximum number of waiting events in each of the two queues.
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

  /// The heard time of the next event; nil if no event waits to be heard.
  var nextTime: HostTime? { coming.nextTime }

  /// Accepts an event with its played time, which may be in the future.
  ///
  /// - Parameter played: the played time. `distantPast` means now: the played time of the block's first frame or the
  ///   latest played time so far, the later of both.
  /// - Returns: false if the end of a note, or another event that begins no sound, was dropped for lack of space; a
  ///   dropped note or strike does not make the result false.
  mutating func schedule(_ event: SlotEvent, played: HostTime, _ window: Window) -> Bool {
    let time = played == .distantPast ? max(latest, window.played.first) : played
    let item = Item(event: event, order: nextOrder())
    guard time > window.played.end else {
      latest = max(latest, time)
      return place(item, played: time, window)
    }
    return wait(item, played: time)
  }

  /// Accepts an event that must be heard at a given time, even if this time is not on the grid.
  ///
  /// - Returns: false if the end of a note, or another event that begins no sound, was dropped for lack of space; a
  ///   dropped note or strike does not make the result false.
  mutating func schedule(_ event: SlotEvent, heard: HostTime, _ window: Window) -> Bool {
    let item = Item(event: event, order: nextOrder())
    switch event {
    case .event(.noteOn(let note)):
      begun.add(
        StartedNotes.Begun(
          id: note.id, order: item.order, played: heard, heard: heard, shift: 0, beats: 0),
        now: window.played.end)
      record(.noteOn(note), played: heard, beats: 0, window)
    case .event(.noteOff(let note)):
      record(.noteOff(note), played: heard, beats: 0, window)
      return wait(item, heard: max(heard, begun.remove(note.id, at: heard)?.heard ?? begun.unknownHeard))
    default: break
    }
    return wait(item, heard: heard)
  }

  /// Schedules the events whose played time has come; called once per block, after new events were
  /// accepted.
  ///
  /// - Returns: false if the end of a note, or another event that begins no sound, was dropped for lack of space; a
  ///   dropped note or strike does not make the result false.
  mutating func advance(_ window: Window) -> Bool {
    var isWhole = true
    while let entry = unplayed.removeFirst(dueBy: window.played.end) {
      latest = max(latest, entry.time)
      if !place(entry.element, played: entry.time, window) { isWhole = false }
    }
    return isWhole
  }

  /// Removes and returns the next event whose heard time is at or before the given time; nil for none.
  ///
  /// If this event is `allOff`, the function also removes the notes and strikes that were sent before the `allOff`.
  mutating func next(heardBy time: HostTime) -> SlotEvent? {
    guard let entry = coming.removeFirst(dueBy: time) else { return nil }
    if case .event(.allOff) = entry.element.event { takeBackStarts(before: entry.element.order) }
    return entry.element.event
  }

  /// Returns the number of starts of sounds that were dropped since the last call.
  mutating func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  /// Removes the waiting notes and strikes and counts them as dropped, because the end of a note has been lost.
  mutating func removeStarts() {
    let before = coming.count &+ unplayed.count
    unplayed.removeAll { $0.isStart }
    coming.removeAll { $0.isStart }
    begun.removeAll()
    dropped &+= before &- coming.count &- unplayed.count
  }

  /// Removes all waiting events.
  mutating func removeAll() {
    unplayed.removeAll { _ in true }
    coming.removeAll { _ in true }
    begun.removeAll()
  }

  /// Removes the loop, and a recording that is in progress.
  mutating func removeLoop() {
    let looper = looper
    looper.pointee = Looper()
  }

  /// Returns the next beginning or end of a note of the loop in a block, with its frame; nil if none is left.
  mutating func nextLoopNote(in block: borrowing AudioBlock, _ clock: BeatClock)
    -> (frame: Int, event: InstrumentEvent)?
  {
    let looper = looper
    return looper.pointee.next(in: block, clock)
  }

  /// Takes over the waiting events, their numbers and the begun notes of another sequencer, before this sequencer has
  /// received an event; changes of parameters are left out.
  mutating func inherit(_ other: inout Sequencer) {
    (begun, latest, taken) = (other.begun, other.latest, other.taken)
    while let entry = other.unplayed.removeFirst(dueBy: .distantFuture) {
      if case .event = entry.element.event { _ = wait(entry.element, played: entry.time) }
    }
    while let entry = other.coming.removeFirst(dueBy: .distantFuture) {
      if case .event = entry.element.event { _ = wait(entry.element, heard: entry.time) }
    }
  }
}

extension Sequencer {
  /// Schedules an event for its heard time, after its played time has come.
  private mutating func place(_ item: Item, played: HostTime, _ window: Window) -> Bool {
    let soonest = max(played.advanced(byNanoseconds: window.playThrough), window.heard)
    switch item.event {
    case .event(.noteOn(let note)):
      let line = line(for: played, window)
      let heard = max(line?.time ?? soonest, soonest)
      begun.add(
        StartedNotes.Begun(
          id: note.id, order: item.order, played: played, heard: heard,
          shift: heard.nanoseconds(since: played), beats: line?.beats ?? 0),
        now: window.played.end)
      record(.noteOn(note), played: played, beats: line?.beats ?? 0, window)
      return wait(item, heard: heard)
    case .event(.strike):
      return wait(item, heard: max(line(for: played, window)?.time ?? soonest, soonest))
    case .event(.noteOff(let note)):
      let start = begun.remove(note.id, at: played)
      record(.noteOff(note), played: played, beats: start?.beats ?? 0, window)
      return wait(item, heard: begun.heard(start, played: played, soonest: soonest))
    case .event(.noteMove(let note)):
      return wait(item, heard: begun.heard(begun.note(note.id, at: played), played: played, soonest: soonest))
    case .event(.motion):
      guard wait(item, heard: soonest) else { return false }
      return schedulePassedLine(before: soonest, played, window)
    default: return wait(item, heard: soonest)
    }
  }

  /// Returns the time of the grid line that an event belongs to, and the beats from the played beat to this line.
  ///
  /// The time is nil if the line has passed. The result is nil if there is no grid or no rhythm.
  private func line(for played: HostTime, _ window: Window) -> (time: HostTime?, beats: Double)? {
    guard !hasOwnGrid, let clock = window.clock,
      let beats = quantiser?.beats(ofPlayed: played, on: clock)
    else {
      return nil
    }
    let time = beats.line > beats.played ? clock.time(ofBeat: beats.line, from: played) : nil
    return (time, beats.line - beats.played)
  }

  /// If the grid line nearest to a movement has passed, sends the instrument this line together with the movement.
  ///
  /// Without this line, an instrument that follows movement itself would wait for the next line, one step late.
  private mutating func schedulePassedLine(before heard: HostTime, _ played: HostTime, _ window: Window)
    -> Bool
  {
    guard let quantiser, !hasOwnGrid, !quantiser.isFree, let clock = window.clock,
      let timeline = clock.course,
      clock.isPlaying(at: played), let beat = clock.beat(at: played)
    else { return true }
    let session = clock.sessionTime(at: played)
    let nearest = quantiser.nearestLine(to: beat, from: timeline.segment(at: session).barBeat)
    if nearest > beat {
      guard let time = timeline.moment(ofBeat: nearest, from: session), clock.hostTime(at: time) <= heard
      else {
        return true
      }
    }
    let line = GridLine(at: played, beat: nearest, on: clock, quantiser)
    return wait(Item(event: .event(.line(line)), order: nextOrder()), heard: heard)
  }

  /// Passes the beginning or end of a note to the looper, if a recording is in progress.
  ///
  /// - Parameter beats: the beats from the played beat to the beat that the loop records.
  private mutating func record(_ event: InstrumentEvent, played: HostTime, beats: Double, _ window: Window) {
    let looper = looper
    guard looper.pointee.isRecording, let clock = window.clock, let timeline = clock.course else { return }
    let beat = looper.pointee.beat(ofPlayed: clock.sessionTime(at: played), on: timeline)
    looper.pointee.record(event, beat: beat + beats, played: beat)
  }

  /// Queues an event until its heard time.
  private mutating func wait(_ item: Item, heard time: HostTime) -> Bool {
    if item.isStart, isCrowded(coming.count) { return true }
    return coming.add(item, at: time)
  }

  /// Queues an event until its played time.
  private mutating func wait(_ item: Item, played time: HostTime) -> Bool {
    if item.isStart, isCrowded(unplayed.count) { return true }
    return unplayed.add(item, at: time)
  }

  /// Returns whether a queue that holds `count` events is too full for a note or strike; if so, counts the note or
  /// strike as dropped.
  private mutating func isCrowded(_ count: Int) -> Bool {
    guard coming.capacity &- count <= Self.reserve else { return false }
    dropped &+= 1
    return true
  }

  private mutating func nextOrder() -> UInt32 {
    taken &+= 1
    return taken
  }

  private mutating func takeBackStarts(before order: UInt32) {
    begun.removeAll(before: order)
    // A difference, because the count wraps around.
    unplayed.removeAll { $0.isStart && Int32(bitPattern: $0.order &- order) < 0 }
    coming.removeAll { $0.isStart && Int32(bitPattern: $0.order &- order) < 0 }
  }
}
