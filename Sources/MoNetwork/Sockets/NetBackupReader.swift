import CMoSystem
import Glibc
import MoCore
import Synchronization

/// The watch over `mo-net`: where a callback is slow, a second thread, `mo-relief`, reads in its stead, so that the
/// kernel's room does not fill and the newest value is never missed.
///
/// A message costs no hand-over between threads that way. The second thread is woken by a timer, and as long as
/// `mo-net` comes back in time it puts the timer off, after the callbacks: under steady traffic nothing wakes but
/// `mo-net` itself.
final class NetBackupReader: Sendable {
  private let clock: any TimeSource
  /// Counts the turns of `mo-net`, and whether it is calling callbacks: an odd number says so.
  private let turns = Atomic<UInt64>(0)
  private let isArmed = Atomic<Bool>(false)
  /// The host time from which on `mo-net`, which alone uses this, puts the timer off.
  private let nextDelay = Atomic<Int64>(.max)
  /// Whether `mo-net` should leave off delivering for a moment and see to a connection.
  private let overdue = Atomic<Bool>(false)
  private let timer = momu_timer()

  /// So many datagrams at once are a burst.
  static let burst = 16

  /// How long a turn may take before the second thread reads, in nanoseconds: while little comes, the kernel's room
  /// lasts; in a burst it does not.
  ///
  /// Not 20 ms: readings that come 50 times a second would each come just as the timer ends.
  private static let patience: Int64 = 22_000_000
  private static let burstPatience: Int64 = 2_000_000
  /// How long the second thread waits at a time while it reads, in nanoseconds.
  static let look = burstPatience

  /// - Throws: `NetError.system`.
  init(clock: any TimeSource) throws(NetError) {
    self.clock = clock
    guard timer >= 0 else { throw .tooManyFiles }
  }

  deinit { if timer >= 0 { close(timer) } }

  // MARK: mo-net

  /// How many turns there have been.
  var count: Int { Int(turns.load(ordering: .relaxed) / 2) }

  /// Whether `mo-net` should leave off delivering.
  var isOverdue: Bool { overdue.load(ordering: .relaxed) }

  /// Callbacks are about to be called.
  func turnBegins(afterBurst isBurst: Bool) {
    turns.wrappingAdd(1, ordering: .releasing)
    let wasArmed = isArmed.exchange(true, ordering: .acquiringAndReleasing)
    if isBurst || !wasArmed {
      momu_timer_set(timer, isBurst ? Self.burstPatience : Self.patience)
      // After a burst it may run out once; else it has just begun.
      nextDelay.store(isBurst ? .max : .min, ordering: .relaxed)
    }
    overdue.store(false, ordering: .relaxed)
  }

  /// The callbacks have returned; the moment it is.
  func turnEnds() -> HostTime {
    turns.wrappingAdd(1, ordering: .releasing)
    let now = clock.now
    let next = nextDelay.load(ordering: .relaxed)
    if now.nanoseconds >= next {
      if next != .min { momu_timer_set(timer, Self.patience) }
      nextDelay.store(now.nanoseconds &+ Self.patience / 2, ordering: .relaxed)
    }
    return now
  }

  // MARK: mo-relief

  /// Wakes the thread, to see that it is to end; a turn that ends later can undo it.
  func wake() { momu_timer_set(timer, 1) }

  /// Watches until `goesOn` is false.
  ///
  /// - Parameter read: called with the number of a turn that takes too long; reads for as long as it lasts.
  func watch(while goesOn: () -> Bool, read: (_ turn: UInt64) -> Void) {
    var seen: UInt64 = 0
    while goesOn() {
      var request = pollfd(fd: timer, events: Int16(POLLIN), revents: 0)
      _ = momu_poll(&request, 1, -1)
      var expirations: UInt64 = 0
      _ = Glibc.read(timer, &expirations, 8)
      guard goesOn() else { return }
      let turn = turns.load(ordering: .acquiring)
      guard turn % 2 == 1 else {
        // Nothing to relieve: the next delivery sets the timer. One that began just now is looked at once more.
        isArmed.store(false, ordering: .sequentiallyConsistent)
        if turns.load(ordering: .sequentiallyConsistent) % 2 == 1,
          !isArmed.exchange(true, ordering: .acquiringAndReleasing)
        {
          momu_timer_set(timer, Self.patience)
        }
        continue
      }
      if turn == seen { read(turn) }
      seen = turns.load(ordering: .acquiring)
      momu_timer_set(timer, Self.burstPatience)
    }
  }

  /// Whether a turn is still going on.
  func lasts(_ turn: UInt64) -> Bool { turns.load(ordering: .acquiring) == turn }

  /// Tells `mo-net` to leave off delivering for a moment, since a connection waits.
  func interrupt() { overdue.store(true, ordering: .relaxed) }
}
