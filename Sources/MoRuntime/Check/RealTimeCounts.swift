import CMoSystem

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
  /// If several calls of the same kind were counted, the name is that of the first of these calls.
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
