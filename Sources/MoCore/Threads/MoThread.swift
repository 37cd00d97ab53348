import CMoSystem
import Glibc
import Synchronization

/// A thread with a name, its own small stack and, if the system allows it, real-time priority.
///
/// <!-- with: @Sendable func blink() {} -->
///
/// ```swift
/// let thread = try MoThread(name: "blinker") { thread in
///   while !thread.isCancelled { blink(); thread.sleep(for: .milliseconds(500)) }
/// }
/// thread.cancel()
/// thread.join()
/// ```
///
/// - Real-time safe: no, except for `isCancelled`.
public final class MoThread: Sendable {
  /// The scheduling priority of a thread.
  public enum Priority: Sendable, Equatable {
    /// The priority of an ordinary program.
    case normal
    /// SCHED_FIFO with a priority from 1 to 99; the audio thread has priority 4.
    ///
    /// If neither the user's limits (`ulimit -r`) nor the service rtkit allow the priority, the thread runs as
    /// `normal`, and `isRealTime` is false. A real-time thread that runs for 0.2 s (0.1 s by rtkit) without a pause
    /// becomes `normal`, too.
    case realTime(Int)

    /// The priority of the audio thread.
    ///
    /// The priority is higher than that of all ordinary threads, and lower than that of all threads for which it waits.
    /// A client has a lower priority than its server, and a server a lower priority than the card's interrupts.
    /// PulseAudio runs at 5. JACK runs at 10 and its clients at 5. PipeWire runs at 20 if rtkit grants the priority,
    /// and at 88 if the user's limits allow it. The kernel's interrupt threads run at 50.
    public static let audio = Priority.realTime(4)
    /// The priority of a thread that fills a buffer for the audio thread: just below the audio thread's priority.
    public static let besideAudio = Priority.realTime(3)
  }

  /// The reason why a thread could not be started.
  public enum Failure: Error, CustomStringConvertible, Equatable {
    /// The system refused to start the thread; the values are the thread's name and the system's reason.
    case refused(name: String, reason: String)

    /// The error message: what happened and what to do.
    public var description: String {
      switch self {
      case .refused(let name, let reason):
        "cannot start the thread \(name): \(reason); close some programs, or raise the limit shown by ulimit -u"
      }
    }
  }

  private let handle = Atomic<UInt>(0)
  private let state: State

  /// The state that the thread itself holds, so that the `MoThread` may be released while the thread runs.
  final class State: Sendable {
    let isCancelled = Atomic<Bool>(false)
    let isRealTime = Atomic<Bool>(false)
    let isFinished = Atomic<Bool>(false)
    let wake = WakeEvent()
  }

  /// The argument that a thread's body receives: the body uses it to sleep, and to read `isCancelled`.
  public struct Body: Sendable {
    let state: State

    /// Whether the thread was asked to end.
    public var isCancelled: Bool { state.isCancelled.load(ordering: .acquiring) }

    /// Sleeps for a duration, or until `cancel()` is called.
    public func sleep(for duration: Duration) { state.wake.wait(for: duration) }
  }

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - name: the thread's name, as `top -H` and debuggers show it; the kernel keeps its first 15 bytes.
  ///   - priority: the thread's priority.
  ///   - stackBytes: the size of the thread's stack, at least 64 KiB; plain Swift code needs little.
  ///   - body: the code of the thread; the thread ends when this code returns.
  /// - Throws: `Failure.refused` if the system refuses the thread.
  public init(
    name: String, priority: Priority = .normal, stackBytes: Int = 512 * 1024,
    _ body: @escaping @Sendable (Body) -> Void
  ) throws(Failure) {
    let state = State()
    self.state = state
    let launch = Launch(name: name, priority: priority, state: state, body: body)
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, max(stackBytes, 64 * 1024))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Launch>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(launch).toOpaque())
    guard result == 0 else {
      Unmanaged.passUnretained(launch).release()
      throw .refused(name: name, reason: String(cString: strerror(result)))
    }
    handle.store(UInt(thread), ordering: .releasing)
  }

  deinit {
    let thread = handle.load(ordering: .acquiring)
    if thread != 0 { pthread_detach(pthread_t(thread)) }
  }

  /// Whether the system granted real-time priority.
  public var isRealTime: Bool { state.isRealTime.load(ordering: .acquiring) }

  /// Whether the thread's body has returned.
  public var isFinished: Bool { state.isFinished.load(ordering: .acquiring) }

  /// Whether the thread was asked to end.
  public var isCancelled: Bool { state.isCancelled.load(ordering: .acquiring) }

  /// Whether the caller runs on this thread.
  public var isCurrent: Bool {
    let thread = handle.load(ordering: .acquiring)
    return thread != 0 && pthread_equal(pthread_t(thread), pthread_self()) != 0
  }

  /// Asks the thread's body to return, and ends the body's present `sleep(for:)`.
  ///
  /// The body itself must read `isCancelled` and return.
  public func cancel() {
    state.isCancelled.store(true, ordering: .releasing)
    state.wake.raise()
  }

  /// Waits until the thread's body has returned.
  ///
  /// Only the first call waits; each further call returns immediately. To test for the end, read `isFinished`. If the
  /// thread itself calls `join()`, the call returns immediately.
  public func join() {
    let thread = handle.exchange(0, ordering: .acquiringAndReleasing)
    guard thread != 0 else { return }
    if pthread_equal(pthread_t(thread), pthread_self()) != 0 {
      pthread_detach(pthread_t(thread))
    } else {
      pthread_join(pthread_t(thread), nil)
    }
  }

  /// Sets the priority of the calling thread; returns false if the system refuses.
  @discardableResult
  public static func setSelfPriority(_ priority: Priority) -> Bool {
    switch priority {
    case .normal:
      return momu_thread_run_as_usual() == 0
    case .realTime(let level):
      return RealTimeGrant.ask(priority: level).isRealTime
    }
  }

  /// Gives the calling thread real-time priority, and returns the source of the grant or the reason for the refusal.
  ///
  /// The call waits for rtkit for a second at most.
  package static func askForPriority(_ priority: Priority) -> RealTimeGrant {
    guard case .realTime(let level) = priority else { return .refused(reason: "it was not asked for") }
    return RealTimeGrant.ask(priority: level)
  }

  /// Waits until a moment of the host clock.
  public static func sleep(until time: HostTime) { SystemClock().sleep(until: time) }

  /// The values that are passed to the new thread.
  private final class Launch: Sendable {
    let name: String
    let priority: Priority
    let state: State
    let body: @Sendable (Body) -> Void

    init(name: String, priority: Priority, state: State, body: @escaping @Sendable (Body) -> Void) {
      self.name = name
      self.priority = priority
      self.state = state
      self.body = body
    }

    func run() {
      momu_thread_set_name(name)
      if priority != .normal {
        state.isRealTime.store(MoThread.setSelfPriority(priority), ordering: .releasing)
      }
      body(Body(state: state))
      state.isFinished.store(true, ordering: .releasing)
    }
  }
}

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
