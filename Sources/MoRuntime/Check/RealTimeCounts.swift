import CMoSystem

/// The violations by kind, counted over a number of callbacks.
public struct RealTimeCounts: Equatable, Sendable, CustomStringConvertible {
  /// The number of callbacks that were checked.
  public let callbacks: Int
  /// Requests for memory: `malloc` and related functions.
  public let allocations: Int
  /// Releases of memory: `free`.
  public let releases: Int
  /// Locks taken: pthread mutexes, read-write and spin locks, and `MoMutex`.
  public let locks: Int
  /// Waits: condition variables, semaphores, sleeps, polls.
  public let waits: Int
  /// Other system calls that may block: reads, writes and the like, random numbers of the kernel, started threads.
  public let otherCalls: Int
  /// System calls by any code; zero also if they cannot be seen (see `RealTimeCheck.coverage`).
  public let systemCalls: Int
  /// The first call that was counted, if any.
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

  /// Whether nothing was counted.
  public var isClean: Bool { first == nil }

  /// One line: "1000000 callbacks: 0 allocations, …".
  public var description: String {
    "\(callbacks) callbacks: \(allocations) allocations, \(releases) releases, \(locks) locks, \(waits) waits, "
      + "\(otherCalls) other calls, \(systemCalls) system calls"
      + (first.map { " (first: \($0))" } ?? "")
  }
}
