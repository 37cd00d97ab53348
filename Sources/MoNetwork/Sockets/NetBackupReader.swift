import CMoSystem
import Glibc
import MoCore
import Synchronization

/// The watchdog of `mo-net`: if a callback is slow, a second thread, `mo-relief`, reads the sockets instead.
///
/// So the kernel's buffer does not overflow, and the newest value is never missed.
///
/// In this design, a message need not be handed from one thread to another. A timer wakes the second thread. After the
/// callbacks of a turn, `mo-net` postpones the timer. So under steady traffic, only `mo-net` wakes.
final class NetBackupReader: Sendable {
  private let clock: any TimeSource
  /// The number of turns of `mo-net`, times 2; odd while it calls callbacks.
  private let turns = Atomic<UInt64>(0)
  private let isArmed = Atomic<Bool>(false)
  /// The host time after which `mo-net` postpones the timer; only `mo-net` uses it.
  private let nextDelay = Atomic<Int64>(.max)
  /// Whether `mo-net` must interrupt the delivery briefly to service a connection.
  private let overdue = Atomic<Bool>(false)
  private let timer = momu_timer()

  /// The number of datagrams in a read that counts as a burst.
  static let burst = 16

  /// The timeout of a turn, after which the second thread reads, in nanoseconds.
  ///
  /// It applies to little traffic, for which the kernel's buffer has room; after a burst, `burstPatience` applies.
  ///
  /// It is not 20 ms: readings that come 50 times a second would always come just as the timer ends.
  private static let patience: Int64 = 22_000_000
  private static let burstPatience: Int64 = 2_000_000
  /// The timeout of each wait of the second thread while it reads, in nanoseconds.
  static let look = burstPatience

  /// - Throws: `NetError.system`.
  init(clock: any TimeSource) throws(NetError) {
    self.clock = clock
    guard timer >= 0 else { throw .tooManyFiles }
  }

  deinit { if timer >= 0 { close(timer) } }

  // MARK: mo-net

  /// The number of turns so far.
  var count: Int { Int(turns.load(ordering: .relaxed) / 2) }

  /// Whether `mo-net` must interrupt the delivery.
  var isOverdue: Bool { overdue.load(ordering: .relaxed) }

  /// Starts a turn, just before callbacks are called.
  func turnBegins(afterBurst isBurst: Bool) {
    turns.wrappingAdd(1, ordering: .releasing)
    let wasArmed = isArmed.exchange(true, ordering: .acquiringAndReleasing)
    if isBurst || !wasArmed {
      momu_timer_set(timer, isBurst ? Self.burstPatience : Self.patience)
      // After a burst the timer may run out once; otherwise it has just started.
      nextDelay.store(isBurst ? .max : .min, ordering: .relaxed)
    }
    overdue.store(false, ordering: .relaxed)
  }

  /// Ends a turn, after the callbacks have returned; returns the present time.
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

  /// Wakes the second thread, so that it sees that it must end; if a turn ends afterwards, it may set the timer anew
  /// and so delay this.
  func wake() { momu_timer_set(timer, 1) }

  /// Watches until `goesOn` is false.
  ///
  /// - Parameter read: called with the number of a turn that takes too long; it must read until that turn ends.
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
        // There is nothing to relieve: the next delivery sets the timer. A delivery that has just begun is checked once
        // more.
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

  /// Returns whether a turn is still running.
  func lasts(_ turn: UInt64) -> Bool { turns.load(ordering: .acquiring) == turn }

  /// Makes `mo-net` interrupt the delivery briefly, since a connection waits.
  func interrupt() { overdue.store(true, ordering: .relaxed) }
}
