import MoTime
import Synchronization

/// Strikes on their way to the audio callback: fired anywhere, due at an exact frame.
///
/// Fired for a moment that has passed, a strike is due at once. Strikes may be fired out of order, from
/// several threads; up to 64 wait, and more are counted in `dropped`.
///
/// - Thread: `fire` from any number of threads; `due` from one, the audio thread.
/// - Real-time safe: yes, but for `init`.
public final class MoTrigger: @unchecked Sendable {
  // Unchecked: a cell's strike is handed over by its turn (D. Vyukov, "Bounded MPMC queue", 2010); the
  // waiting list belongs to the one thread that asks what is due.
  @usableFromInline struct Strike: BitwiseCopyable {
    @usableFromInline var force: Float
    @usableFromInline var time: HostTime
    @usableFromInline init(force: Float, time: HostTime) {
      self.force = force
      self.time = time
    }
  }

  @usableFromInline static var capacity: Int { 64 }
  @usableFromInline let turns: UnsafeMutablePointer<Atomic<Int>>
  @usableFromInline let cells: UnsafeMutablePointer<Strike>
  @usableFromInline let tail = Atomic<Int>(0)
  @usableFromInline var head = 0
  @usableFromInline let waiting: UnsafeMutablePointer<Strike>
  @usableFromInline var waitingCount = 0
  @usableFromInline var earliest = HostTime.distantFuture
  @usableFromInline let refused = Atomic<Int>(0)

  /// A trigger with nothing fired.
  public init() {
    let capacity = MoTrigger.capacity
    turns = .allocate(capacity: capacity)
    cells = .allocate(capacity: capacity)
    waiting = .allocate(capacity: capacity)
    for index in 0..<capacity { (turns + index).initialize(to: Atomic(index)) }
  }

  deinit {
    turns.deinitialize(count: MoTrigger.capacity)
    turns.deallocate()
    cells.deallocate()
    waiting.deallocate()
  }

  /// How many strikes found no room.
  public var dropped: Int { refused.load(ordering: .relaxed) }

  /// Fires a strike.
  ///
  /// - Parameters:
  ///   - force: how hard; 0 … 1 by custom. Anything but a finite number counts as 0.
  ///   - time: when it should sound; left out, as soon as it can.
  public func fire(_ force: Float = 1, at time: HostTime = .distantPast) {
    let strike = Strike(force: force.isFinite ? force : 0, time: time)
    var ticket = tail.load(ordering: .relaxed)
    while true {
      let cell = ticket & (MoTrigger.capacity - 1)
      let turn = turns[cell].load(ordering: .acquiring)
      if turn == ticket {
        let (won, seen) = tail.weakCompareExchange(
          expected: ticket, desired: ticket &+ 1, ordering: .relaxed)
        guard won else {
          ticket = seen
          continue
        }
        cells[cell] = strike
        turns[cell].store(ticket &+ 1, ordering: .releasing)
        return
      }
      guard turn > ticket else {
        refused.wrappingAdd(1, ordering: .relaxed)
        return
      }
      ticket = tail.load(ordering: .relaxed)
    }
  }

  /// The force of a strike due by a moment, the earliest first; nil where none is.
  ///
  /// Ask once a frame.
  @inlinable
  public func due(at time: HostTime) -> Float? {
    let cell = head & (MoTrigger.capacity - 1)
    if turns[cell].load(ordering: .acquiring) == head &+ 1 { gather() }
    guard waitingCount > 0 && earliest <= time else { return nil }
    return takeEarliest()
  }

  /// Moves what was fired to the waiting list, as far as there is room.
  @usableFromInline
  func gather() {
    while waitingCount < MoTrigger.capacity {
      let cell = head & (MoTrigger.capacity - 1)
      guard turns[cell].load(ordering: .acquiring) == head &+ 1 else { return }
      let strike = cells[cell]
      turns[cell].store(head &+ MoTrigger.capacity, ordering: .releasing)
      head &+= 1
      waiting[waitingCount] = strike
      waitingCount &+= 1
      if strike.time < earliest { earliest = strike.time }
    }
  }

  @usableFromInline
  func takeEarliest() -> Float {
    var best = 0
    for index in 0..<waitingCount where waiting[index].time < waiting[best].time { best = index }
    let force = waiting[best].force
    // Those behind move up: strikes for the same moment stay in the order they were fired.
    waitingCount &-= 1
    for index in best..<waitingCount { waiting[index] = waiting[index + 1] }
    earliest = .distantFuture
    for index in 0..<waitingCount where waiting[index].time < earliest { earliest = waiting[index].time }
    return force
  }
}
