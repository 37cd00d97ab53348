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

/// The number of violations of each kind that `RealTimeCheck` counted, and the number of audio callbacks that it
/// checked.
public struct RealTimeCounts: Equatable, Sendable, CustomStringConvertible {
  /// The number of callbacks that were checked.
  public let callbacks: Int
  /// The number of requests for memory: `malloc` and related functions.
  public let allocations: Int
  /// The number of releases of memory: `free`.
  public let releases: Int
  /// The number of locks taken: pthread mutexes, read-write and spin locks, and `MoMutex`.
  public let locks: Int
  /// The number of waits: condition variables, semaphores, sleeps, polls.
  public let waits: Int
  /// The number of other calls that may block, such as reads, writes, kernel random numbers, and starts of threads.
  public let otherCalls: Int
  /// The number of system calls by any code; also 0 if the check cannot detect them (see `RealTimeCheck.coverage`).
  public let systemCalls: Int
  /// The name of a call that was counted as a violation, such as `malloc`; nil if there was no violation.
  ///
  /// The name is that of the first call of the first kind with a violation, in this order: allocations, releases,
  /// locks, waits, other calls, system calls.
  public let first: String?

  init() {
    func count(_ kind: momu_rt_kind) -> Int { Int(momu_rt_count(kind)) }
    callbacks = Int(momu_rt_callbacks())
    allocations = count(MOMU_RT_ALLOCATION)
    releases = count(MOMU_RT_RELEASE)
    locks = count(MOMU_RT_LOCK)
    waits = count(MOMU_RT_WAIT)
    otherCalls = count(MOMU_RT_FILE) + count(MOMU_RT_RANDOM) + count(MOMU_RT_THREAD)
    systemCalls = count(MOMU_RT_SYSTEM_CALL)
    first = (0..<UInt32(MOMU_RT_KINDS)).lazy
      .compactMap { momu_rt_first_call(momu_rt_kind(rawValue: $0)) }
      .first.map { String(cString: $0) }
  }

  /// Whether no violation was counted.
  public var isClean: Bool { first == nil }

  /// A line of text with all counts, such as "1000000 callbacks: 0 allocations, …".
  public var description: String {
    "\(callbacks) callbacks: \(allocations) allocations, \(releases) releases, \(locks) locks, \(waits) waits, "
      + "\(otherCalls) other calls, \(systemCalls) system calls"
      + (first.map { " (first: \($0))" } ?? "")
  }
}
