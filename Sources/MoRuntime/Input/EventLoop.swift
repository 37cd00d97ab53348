import CMoSystem
import Glibc
import MoCore
import Synchronization

/// Drives the inputs of a run: in real time from the `mo-input` thread, offline from the renderer.
///
/// The thread waits for all descriptors and times at once, and turns to those inputs only that have something to do:
/// most of a hundred readings a second concern one of many. It starts with the first input and ends with the last.
///
/// - Thread: any; inputs are serviced one at a time.
package final class EventLoop: @unchecked Sendable {
  // Unchecked: `entries` and `thread` are guarded by `lock`. It is MoMutex, which ThreadSanitizer sees, where it
  // does not see how Swift's own Mutex waits.
  private let clock: any TimeSource
  private let isDriven: Bool
  private let lock = MoMutex()
  /// Replaced, never changed in place: whoever took it looks on without the lock.
  private var entries: [Entry] = [] { didSet { generation &+= 1 } }
  /// Which inputs these are: another number for others.
  private var generation = 0
  private var thread: MoThread?
  private let wake = WakeEvent()
  /// The thread that services now, and the lock it holds meanwhile.
  private let servicing = MoMutex()
  private let servicer = Atomic<UInt>(0)

  /// An input, and what to do when it ends by itself.
  private final class Entry: @unchecked Sendable {
    // Unchecked: only the thread that holds `servicing` uses the input.
    let input: any EventSource
    let ended: @Sendable (any Error) -> Void
    /// Whether it has been taken out, maybe a moment ago: it is left alone then.
    let isRemoved = Atomic<Bool>(false)

    init(_ input: any EventSource, _ ended: @escaping @Sendable (any Error) -> Void) {
      self.input = input
      self.ended = ended
    }
  }

  /// - Parameter isDriven: true where somebody calls `service` instead of a thread.
  init(clock: any TimeSource, isDriven: Bool = false) {
    self.clock = clock
    self.isDriven = isDriven
  }

  deinit { thread?.cancel() }

  /// Adds an input.
  ///
  /// - Parameter ended: called, on the servicing thread, if the input throws; it has then been removed.
  /// - Throws: `MoThread.Failure` where the thread is needed and cannot be had.
  package func add(_ input: sending any EventSource, ended: @escaping @Sendable (any Error) -> Void) throws {
    let entry = Entry(input, ended)
    try lock.withLock {
      if !isDriven, thread == nil { thread = try makeThread() }
      entries = entries + [entry]
    }
    wake.raise()
  }

  private func makeThread() throws -> MoThread {
    try MoThread(name: "mo-input") { [weak self, wake] body in
      momu_thread_set_timely(1)
      var turn = Turn(wake)
      while !body.isCancelled {
        guard let nanoseconds = self?.prepare(&turn) else { return }
        turn.wait.wait(nanoseconds: nanoseconds)
        guard let self, !body.isCancelled else { return }
        service(&turn, until: clock.now)
      }
    }
  }

  /// Removes an input; returns when it is not being serviced, or at once from within.
  package func remove(_ input: any EventSource) {
    guard lock.withLock({ remove { $0.input === input } }) else { return }
    wake.raise()
    settle()
  }

  /// Takes those entries out, with the lock held; whether there were any.
  private func remove(_ isMeant: (Entry) -> Bool) -> Bool {
    let removed = entries.filter(isMeant)
    for entry in removed { entry.isRemoved.store(true, ordering: .relaxed) }
    if !removed.isEmpty { entries = entries.filter { !isMeant($0) } }
    return !removed.isEmpty
  }

  /// Returns when no input is being serviced, or at once from within.
  package func settle() {
    guard servicer.load(ordering: .acquiring) != UInt(pthread_self()) else { return }
    servicing.withLock {}
  }

  /// Has the thread ask anew when inputs have something to do: one that had nothing now has.
  package func lookAgain() { wake.raise() }

  /// When the first input has something to do by itself; nil where none has.
  package var nextTime: HostTime? { exclusively { snapshot().inputs.compactMap(\.input.nextTime).min() } }

  /// Whether an input comes to an end by itself, and the run with it.
  package var isFinite: Bool { exclusively { snapshot().inputs.contains { $0.input.isFinite } } }

  /// Lets every input deliver what is due up to and including `now`, the earliest first.
  ///
  /// All are asked, also those that are not due: nobody has waited for their descriptors.
  package func service(until now: HostTime) {
    exclusively {
      var due = DueSources<Entry>()
      for entry in snapshot().inputs { due.add(entry, entry.input.nextTime ?? now) }
      service(due, until: now)
    }
  }

  /// Lets those inputs deliver whose time has come, or that have something to read, the earliest first.
  private func service(_ turn: inout Turn, until now: HostTime) {
    exclusively {
      let (inputs, generation) = snapshot()
      // Asked before the wait, unless somebody has said since that there is something new.
      let isAsked = generation == turn.generation && !turn.wait.wasWoken
      for index in inputs.indices {
        let time = isAsked ? turn.times[index] : inputs[index].input.nextTime
        if let time, time <= now {
          turn.due.add(inputs[index], time)
        } else if turn.wait.hasHeard, inputs[index].input.descriptor.map(turn.wait.isReady) ?? false {
          turn.due.add(inputs[index], time ?? now)
        }
      }
      service(turn.due, until: now)
      // What has been removed meanwhile is let go now, not at the next turn.
      turn.due.removeAll()
    }
  }

  private func service(_ due: DueSources<Entry>, until now: HostTime) {
    for entry in due.inputs where !entry.isRemoved.load(ordering: .relaxed) {
      do {
        try entry.input.service(until: now)
      } catch {
        _ = lock.withLock { remove { $0 === entry } }
        entry.ended(error)
      }
    }
  }

  private func snapshot() -> (inputs: [Entry], generation: Int) {
    lock.withLock { () -> (inputs: [Entry], generation: Int) in (entries, generation) }
  }

  /// Runs `body` as the one that services; within a service already, as part of it.
  private func exclusively<Result>(_ body: () -> Result) -> Result {
    let me = UInt(pthread_self())
    if servicer.load(ordering: .acquiring) == me { return body() }
    servicing.acquire()
    servicer.store(me, ordering: .releasing)
    defer {
      servicer.store(0, ordering: .releasing)
      servicing.release()
    }
    return body()
  }

  /// Asks all inputs what the thread waits for next.
  ///
  /// - Returns: for how many nanoseconds, below 0 for ever; nil where there are no inputs left, and the thread ends.
  private func prepare(_ turn: inout Turn) -> Int64? {
    exclusively { () -> Int64? in
      // An input added in this moment must find either this thread, which sees it, or none.
      let (inputs, generation) = lock.withLock { () -> (inputs: [Entry], generation: Int) in
        if entries.isEmpty { thread = nil }
        return (entries, self.generation)
      }
      if inputs.isEmpty { return nil }
      turn.begin(generation, inputs.lazy.map(\.input))
      var next: HostTime?
      for index in inputs.indices {
        let input = inputs[index].input
        let time = input.nextTime
        turn.times[index] = time
        if let time { next = min(next ?? time, time) }
        if !turn.isKept[index], let descriptor = input.descriptor { turn.wait.add(descriptor) }
      }
      return next.map { max(0, $0.nanoseconds(since: clock.now)) } ?? -1
    }
  }

  /// What the inputs said before a wait; its memory is used again at each turn.
  private struct Turn {
    var wait: EventWait
    /// Which inputs were asked.
    private(set) var generation = -1
    /// When each has something to do by itself.
    var times: [HostTime?] = []
    /// Whether the kernel keeps its descriptor from one turn to the next.
    private(set) var isKept: [Bool] = []
    /// What came of the wait.
    var due = DueSources<Entry>()

    init(_ wake: WakeEvent) { wait = EventWait(wake) }

    mutating func begin(_ generation: Int, _ inputs: some Sequence<any EventSource>) {
      if self.generation != generation { take(Array(inputs)) }
      self.generation = generation
      wait.begin()
    }

    /// Makes room for other inputs.
    private mutating func take(_ inputs: [any EventSource]) {
      times = [HostTime?](repeating: nil, count: inputs.count)
      let areKept = wait.keep(inputs.compactMap { $0.isSeldomReady ? $0.descriptor : nil })
      isKept = inputs.map { areKept && $0.isSeldomReady }
    }
  }
}
