import CMoSystem
import Glibc

/// How a thread came to run before others, or why it does not.
public enum RealTimeGrant: Sendable, Equatable {
  /// The user's limits, or the process's rights, allow it.
  case limits(priority: Int)
  /// rtkit gave it, as it does to a user of a desktop.
  case rtkit(priority: Int)
  /// It runs like any other; why rtkit gave nothing.
  case refused(reason: String)

  /// Whether the thread runs before others.
  public var isRealTime: Bool {
    if case .refused = self { false } else { true }
  }

  /// The longest that a thread may run before others without waiting once, in microseconds: then it is one of them
  /// again, so that an endless loop leaves the machine usable.
  package static let longestRun = 200_000

  /// Asks for SCHED_FIFO for the calling thread: of the kernel, else of rtkit, which is waited for a second at most.
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
    guard asking != nil else { return .refused(reason: "there is no thread to ask rtkit by") }
    place.signal.wait(for: .seconds(1))
    // The signal of a run that is too long must come here, whatever the thread keeps back.
    _ = momu_thread_bound_run(longestRun, 0)
    return place.answer.withLock { $0 } ?? .refused(reason: "the system bus does not answer")
  }

  /// Where the answer is left, even after the timeout.
  private final class Place: Sendable {
    let signal = WakeEvent()
    let answer = Locked<RealTimeGrant?>(nil)
  }
}
