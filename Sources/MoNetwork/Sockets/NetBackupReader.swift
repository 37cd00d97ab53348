import CMoSystem
import Glibc
import MoCore
import Synchronization

/// The watchdog of `mo-net`: if a turn (its calls of all due callbacks) takes long, a second thread reads the sockets.
///
/// So the kernel's buffer does not overflow, and the newest value is never missed.
///
/// The network thread is `mo-net`; the second thread is `mo-backup`. A timer wakes the second thread if a turn of
/// `mo-net` takes too long. After each turn, `mo-net` postpones the timer, so that under steady traffic only
/// `mo-net` wakes. In this design, a message need not be handed from one thread to another.
final class NetBackupReader: Sendable {
  private let clock: any TimeSource
  /// Twice the number of completed turns of `mo-net`, plus 1 during a turn; so the number is odd while `mo-net` calls
  /// callbacks.
  private let turns = Atomic<UInt64>(0)
  private let isArmed = Atomic<Bool>(false)
  /// The earliest host time, in nanoseconds, at which the end of a turn postpones the timer; only `mo-net` uses this
  /// value.
  private let nextDelay = Atomic<Int64>(.max)
  /// Whether `mo-net` must interrupt the delivery briefly to service a connection.
  private let overdue = Atomic<Bool>(false)
  private let timer = momu_timer()

  /// The smallest number of datagrams that counts as a burst if a single read of a socket returns them.
  static let burst = 16

  /// The longest time from the start of a turn to the first check by the second thread, in nanoseconds.
  ///
  /// This time applies to little traffic, for which the kernel's buffer has room; after a burst, `burstTimeout`
  /// applies. The time is not 20 ms, since sensor readings that arrive 50 times a second would always arrive just as
  /// the timer ends.
  private static let timeout: Int64 = 22_000_000
  private static let burstTimeout: Int64 = 2_000_000
  /// The timeout of each wait of the second thread while it reads, in nanoseconds.
  static let checkInterval = burstTimeout

  /// Creates the watchdog and its timer; starts no thread.
  ///
  /// - Throws: `NetError.system`.
  init(clock: any TimeSource) throws(NetError) {
    self.clock = clock
    guard timer >= 0 else { throw .tooManyFiles }
  }

  deinit { if timer >= 0 { close(timer) } }

  // MARK: mo-net

  /// The number of completed turns.
  var count: Int { Int(turns.load(ordering: .relaxed) / 2) }

  /// Whether `mo-net` must interrupt the delivery of messages briefly to service a connection.
  var isOverdue: Bool { overdue.load(ordering: .relaxed) }

  /// Begins a turn, just before callbacks are called.
  ///
  /// - Parameter isBurst: whether `mo-net` has just read at least `burst` datagrams from a socket.
  func turnBegins(afterBurst isBurst: Bool) {
    turns.wrappingAdd(1, ordering: .releasing)
    let wasArmed = isArmed.exchange(true, ordering: .acquiringAndReleasing)
    if isBurst || !wasArmed {
      momu_timer_set(timer, isBurst ? Self.burstTimeout : Self.timeout)
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
      if next != .min { momu_timer_set(timer, Self.timeout) }
      nextDelay.store(now.nanoseconds &+ Self.timeout / 2, ordering: .relaxed)
    }
    return now
  }

  // MARK: mo-backup

  /// Wakes the second thread, so that it notices that it must end.
  ///
  /// If a turn ends afterwards, this turn may set the timer again, and so delay the wake-up.
  func wake() { momu_timer_set(timer, 1) }

  /// The loop of the second thread, which runs until `goesOn` returns false.
  ///
  /// - Parameter read: called with the number of a turn that takes too long; it must read the sockets until this turn
  ///   ends.
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
          momu_timer_set(timer, Self.timeout)
        }
        continue
      }
      if turn == seen { read(turn) }
      seen = turns.load(ordering: .acquiring)
      momu_timer_set(timer, Self.burstTimeout)
    }
  }

  /// Returns whether the turn with the given number, which `watch` passed to `read`, is still running.
  func lasts(_ turn: UInt64) -> Bool { turns.load(ordering: .acquiring) == turn }

  /// Makes `mo-net` interrupt the delivery briefly, since a connection needs service.
  func interrupt() { overdue.store(true, ordering: .relaxed) }
}
