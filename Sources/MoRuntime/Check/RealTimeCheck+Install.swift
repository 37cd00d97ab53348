import CMoSystem
import MoCore

extension RealTimeCheck {
  /// The response of the check to a call that an audio callback must not make (a violation).
  public enum Mode: Sendable {
    /// The check explains the first violation on standard error, and ends the program with status 1.
    case stop
    /// The check counts each violation; see `counts`.
    case count
  }

  /// Starts the check: from now on, it watches all calls that an audio callback makes.
  ///
  /// - Thread: any; before audio starts.
  /// - Real-time safe: no.
  public static func install(_ mode: Mode) {
    switch mode {
    case .stop:
      momu_rt_install(MOMU_RT_STOP) { call, kind, stack, depth in
        RealTimeReport.write(call: call, kind: kind, stack: stack, depth: Int(depth))
      }
    case .count: momu_rt_install(MOMU_RT_COUNT, nil)
    }
  }

  /// The violations on all threads since `install(.count)` or the last `resetCounts()`.
  public static var counts: RealTimeCounts { RealTimeCounts() }

  /// Resets all numbers of `counts` to zero.
  public static func resetCounts() { momu_rt_reset_counts() }

  /// Whether the check can detect calls of C library functions in this build; false if a sanitizer intercepts them.
  ///
  /// - Thread: any.
  public static var isAvailable: Bool { momu_rt_interposes() }

  /// Whether all violations are detected: by the check (calls of C library functions, and system calls) or by
  /// RealtimeSanitizer.
  ///
  /// The value is valid after `install`.
  package static var isComplete: Bool {
    let seen = momu_rt_coverage()
    let all = Int32(MOMU_RT_SEES_CALLS.rawValue | MOMU_RT_SEES_SYSTEM_CALLS.rawValue)
    return seen & all == all || seen & Int32(MOMU_RT_SEES_SANITIZER.rawValue) != 0
  }

  /// The sentence that a program prints at its end if the check in `stop` mode found no violation.
  package static var result: String {
    let callbacks = momu_rt_callbacks()
    guard callbacks > 0 else { return "The audio callback never ran, so nothing was checked." }
    let blocks = callbacks == 1 ? "1 block" : "\(callbacks) blocks"
    guard isComplete else {
      return "The audio callback ran \(blocks) without a call that this check can see."
    }
    return "The audio callback ran \(blocks) without an allocation, lock or system call."
  }

  /// A sentence that says which calls the check can detect in this build on this machine; valid after `install`.
  public static var coverage: String {
    let seen = momu_rt_coverage()
    if seen & Int32(MOMU_RT_SEES_SANITIZER.rawValue) != 0 { return "RealtimeSanitizer watches the callback." }
    guard seen & Int32(MOMU_RT_SEES_CALLS.rawValue) != 0 else {
      return "Only the package's own locks are checked: a sanitizer or another C library owns the calls."
    }
    guard seen & Int32(MOMU_RT_SEES_SYSTEM_CALLS.rawValue) != 0 else {
      return "The C library's calls are checked; system calls made past it need Linux 5.11 on x86-64."
    }
    return "The C library's calls and all system calls are checked."
  }
}
