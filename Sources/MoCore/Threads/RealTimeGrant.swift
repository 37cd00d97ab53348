import CMoSystem
import Glibc

/// The source of a thread's real-time priority, or the reason why the thread has no real-time priority.
package enum RealTimeGrant: Sendable, Equatable {
  /// The user's limits or the process's rights allow real-time priority.
  case limits(priority: Int)
  /// The service rtkit granted real-time priority, as it does for a desktop user.
  case rtkit(priority: Int)
  /// The thread runs at normal priority; `reason` says why it has no real-time priority.
  case refused(reason: String)

  /// Whether the thread has real-time priority.
  package var isRealTime: Bool {
    if case .refused = self { false } else { true }
  }

  /// The longest time for which a real-time thread may run without a wait, in microseconds.
  ///
  /// After this time, the thread loses its real-time priority, so that an endless loop leaves the machine usable.
  package static let longestRun = 200_000

  /// Asks the kernel for SCHED_FIFO for the calling thread; if the kernel refuses, asks rtkit and waits at most 1 s.
  static func ask(priority: Int) -> RealTimeGrant {
    let level = Int32(min(max(priority, 1), 99))
    if momu_thread_run_first(level) == 0 {
      _ = momu_thread_bound_run(longestRun, 0)
      return .limits(priority: Int(level))
    }
    let thread = momu_thread_number()
    let place = Place()
    let asking = try? MoThread(name: "mo-rtkit") { _ in
      let answer = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { reason in
        reason.initialize(repeating: 0)
        let granted = momu_rtkit_ask(thread, level, reason.baseAddress, reason.count)
        return granted > 0
          ? RealTimeGrant.rtkit(priority: Int(granted))
          : .refused(reason: reason.baseAddress.map { String(cString: $0) } ?? "")
      }
      place.answer.withLock { $0 = answer }
      place.signal.raise()
    }
    guard asking != nil else { return .refused(reason: "no thread could be started to ask rtkit") }
    place.signal.wait(for: .seconds(1))
    // This thread must receive the signal of a run that is too long, whatever signals it blocks.
    _ = momu_thread_bound_run(longestRun, 0)
    return place.answer.withLock { $0 } ?? .refused(reason: "the system bus does not answer")
  }

  /// The memory for rtkit's answer, which may come after `ask` has returned at the timeout.
  private final class Place: Sendable {
    let signal = WakeEvent()
    let answer = Locked<RealTimeGrant?>(nil)
  }
}
