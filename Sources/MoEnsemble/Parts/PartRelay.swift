import MoInstruments
import MoOrchestra
import MoTime
import Synchronization

/// Something that was played here.
struct PlayedHere: Sendable, BitwiseCopyable {
  var event: InstrumentEvent
  /// When; what is meant for a moment to come is told then.
  var time: HostTime
  /// Whether it sounds here, too, only when it comes from the room: so that it is together everywhere.
  var isFromRoom: Bool
}

/// Catches keys and strokes on their way to the sound, while an instrument is shared.
///
/// With no rhythm they sound at once, and are told to the others. While one runs they wait for the next line of the
/// grid, here as everywhere: then only the room's answer is heard.
///
/// - Thread: `take` on any; `next` and `isEmpty` on one.
/// - Real-time safe: yes.
final class PartRelay: Sendable {
  private let played = MoSchedule<PlayedHere>(capacity: 256)
  private let isOpen = Atomic<Bool>(false)
  private let beat: @Sendable () -> BeatClock
  private let clock: any TimeSource
  private let grid: LatestValue<Quantiser?>

  /// - Parameter grid: the instrument's own grid; one that draws to nothing leaves everything as it is played.
  init(
    grid: LatestValue<Quantiser?>, clock: any TimeSource, beat: @escaping @Sendable () -> BeatClock
  ) { (self.grid, self.clock, self.beat) = (grid, clock, beat) }

  /// Begins to catch; false where it does so already.
  func open() -> Bool {
    isOpen.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
  }

  func close() { isOpen.store(false, ordering: .releasing) }

  /// Whether it sees to an event.
  func take(_ event: InstrumentEvent, at time: HostTime) -> Bool {
    guard isOpen.load(ordering: .acquiring) else { return false }
    let time = max(time, clock.now)
    switch event {
    case .noteOn, .strike:
      let isFromRoom = grid.load()?.isFree != true && beat().isPlaying(at: time)
      // Where there is no room, one at least hears oneself.
      return played.add(PlayedHere(event: event, time: time, isFromRoom: isFromRoom)) && isFromRoom
    case .noteOff, .allOff:
      // Here it ends what sounded at once; what came from the room ends with the room's answer.
      played.add(PlayedHere(event: event, time: time, isFromRoom: false))
      return false
    case .noteMove, .bend, .motion, .line, .rhythm: return false
    }
  }

  /// What was played next, in the order in which it was played.
  func next() -> PlayedHere? { played.due(at: .distantFuture) }

  /// Whether nothing waits to be told.
  var isEmpty: Bool { played.nextTime == nil }

  /// The grid that others' sound waits for.
  var line: BeatGrid {
    guard let steps = grid.load()?.stepsPerBeat, steps > 0 else { return .sixteenth }
    return .note(max(1, Int((4 * steps).rounded())))
  }
}

extension Quantiser {
  /// Whether it leaves everything as it is played.
  var isFree: Bool { stepsPerBeat <= 0 || strength <= 0 }
}
