import CMoSystem
import Glibc
import MoCore
import Synchronization

/// The loop that reads all inputs of a program (`EventSource`): sensors, tapes, the terminal's keys and others.
///
/// In real time the loop runs on the thread `mo-input`; offline, the renderer calls `service`. The thread waits for all
/// descriptors and times together, and services only those inputs that are due. While an input delivers a hundred
/// readings a second, the other inputs cost no time. The thread starts with the first input and ends with the last.
///
/// - Thread: any; inputs are serviced one at a time.
package final class EventLoop: @unchecked Sendable {
  // Unchecked: `entries` and `thread` are guarded by `lock`. It is a MoMutex, since ThreadSanitizer does not understand
  // Swift's own Mutex.
  private let clock: any TimeSource
  private let isDriven: Bool
  private let lock = MoMutex()
  /// The inputs; the array is replaced, never changed in place, so that a thread which copied the array can read on
  /// without the lock.
  private var entries: [Entry] = [] { didSet { generation &+= 1 } }
  /// A number that identifies the present value of `entries`: each change of `entries` increases the number by 1.
  private var generation = 0
  private var thread: MoThread?
  private let wake = WakeEvent()
  /// The lock that a thread holds while it services the inputs; `servicer` is the ID of this thread, 0 for none.
  private let servicing = MoMutex()
  private let servicer = Atomic<UInt>(0)

  /// An input, and the callback that is called if the input ends with an error.
  private final class Entry: @unchecked Sendable {
    // Unchecked: only the thread that holds `servicing` uses the input.
    let input: any EventSource
    let ended: @Sendable (any Error) -> Void
    /// The input's name when it was added; any thread may read it.
    let name: String
    /// Whether the input is being serviced now.
    let isInService = Atomic<Bool>(false)
    /// Whether the input has been removed; a turn that began before the removal then does not service the input.
    let isRemoved = Atomic<Bool>(false)

    init(_ input: any EventSource, _ ended: @escaping @Sendable (any Error) -> Void) {
      self.input = input
      self.ended = ended
      name = input.name
    }
  }

  /// - Parameter isDriven: true if another object calls `service`, as offline; false if the loop has a thread of its
  ///   own.
  package init(clock: any TimeSource, isDriven: Bool = false) {
    self.clock = clock
    self.isDriven = isDriven
  }

  deinit { thread?.cancel() }

  /// Adds an input.
  ///
  /// - Parameter ended: called on the thread that services the inputs, if the input throws an error; the input has been
  ///   removed by then.
  /// - Throws: `MoThread.Failure` if the thread is needed and cannot be created.
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
      guard var nanoseconds = self?.prepare(&turn) else { return }
      while true {
        turn.wait.wait(nanoseconds: nanoseconds)
        // While it waits, the loop may be released.
        guard let self, !body.isCancelled else { return }
        guard
          let next = exclusively({ () -> Int64? in
            service(&turn, until: clock.now)
            return body.isCancelled ? nil : prepare(&turn)
          })
        else { return }
        nanoseconds = next
      }
    }
  }

  /// Removes an input, and waits until no input is being serviced; a call on the servicing thread does not wait.
  package func remove(_ input: any EventSource) {
    guard lock.withLock({ remove { $0.input === input } }) else { return }
    wake.raise()
    waitUntilIdle()
  }

  /// Removes the matching entries, and returns whether there were any; the caller must hold `lock`.
  private func remove(_ isMeant: (Entry) -> Bool) -> Bool {
    let removed = entries.filter(isMeant)
    for entry in removed { entry.isRemoved.store(true, ordering: .relaxed) }
    if !removed.isEmpty { entries = entries.filter { !isMeant($0) } }
    return !removed.isEmpty
  }

  /// Waits until no input is being serviced; a call on the servicing thread does not wait.
  package func waitUntilIdle() {
    guard servicer.load(ordering: .acquiring) != UInt(pthread_self()) else { return }
    servicing.withLock {}
  }

  /// Makes the thread ask all inputs for their `nextTime` again; call this when an idle input has got something to do.
  package func wakeUp() { wake.raise() }

  /// The name of the input that is being serviced now, such as an input that hangs; nil while the loop waits.
  ///
  /// - Thread: any.
  package var inService: String? {
    lock.withLock { entries.first { $0.isInService.load(ordering: .relaxed) }?.name }
  }

  /// The earliest `EventSource.nextTime` of all inputs; nil if no input has such a time.
  package var nextTime: HostTime? { exclusively { snapshot().inputs.compactMap(\.input.nextTime).min() } }

  /// The earliest `EventSource.nextTime` of the inputs that end by themselves; nil if there is no such input, and after
  /// the end of all such inputs.
  package var nextFiniteTime: HostTime? {
    exclusively { snapshot().inputs.compactMap { $0.input.isFinite ? $0.input.nextTime : nil }.min() }
  }

  /// Makes every input deliver all readings up to and including `now`, the earliest input first.
  ///
  /// All inputs are serviced, even those that are not due, since no thread waits for their descriptors.
  package func service(until now: HostTime) {
    exclusively {
      var due = DueSources<Entry>()
      for entry in snapshot().inputs { due.add(entry, entry.input.nextTime ?? now) }
      service(due, until: now)
    }
  }

  /// Services the inputs that are due or have something to read, the earliest first.
  private func service(_ turn: inout Turn, until now: HostTime) {
    let (inputs, generation) = snapshot()
    // For another set of inputs, the next turn finds what is ready.
    let isSame = generation == turn.generation
    // The times from before the wait are valid unless an input has asked for a new look since.
    let isAsked = isSame && !turn.wait.wasWoken
    for index in inputs.indices {
      let time = isAsked ? turn.times[index] : inputs[index].input.nextTime
      if let time, time <= now {
        turn.due.add(inputs[index], time)
      } else if isSame, turn.isReady(inputs[index].input, index) {
        turn.due.add(inputs[index], time ?? now)
      }
    }
    service(turn.due, until: now)
    // Removed inputs are released now, not at the next turn.
    turn.due.removeAll()
  }

  private func service(_ due: DueSources<Entry>, until now: HostTime) {
    for entry in due.inputs where !entry.isRemoved.load(ordering: .relaxed) {
      entry.isInService.store(true, ordering: .relaxed)
      defer { entry.isInService.store(false, ordering: .relaxed) }
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

  /// Executes `body` while no other thread services inputs; a nested call on the same thread executes its `body`
  /// directly.
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

  /// Prepares the next wait: asks all inputs for their next times and descriptors.
  ///
  /// - Returns: the nanoseconds to wait, -1 for no limit; nil if no inputs are left, so that the thread ends.
  private func prepare(_ turn: inout Turn) -> Int64? {
    exclusively { () -> Int64? in
      // An input that is added at this moment must find either this thread, which sees the input, or no thread.
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
        if let latest = time?.advanced(byNanoseconds: turn.slack[index]) {
          next = min(next ?? latest, latest)
        }
        if turn.mayAdd[index], let descriptor = input.descriptor { turn.wait.add(descriptor) }
      }
      return next.map { max(0, $0.nanoseconds(since: clock.now)) } ?? -1
    }
  }

  /// A turn of the loop: the times and descriptors for which the thread waits, and the inputs that are due after the
  /// wait.
  ///
  /// The memory is reused at each turn.
  private struct Turn {
    var wait: EventWait
    /// The value of `EventLoop.generation` when the inputs of this turn were read; -1 before the first turn.
    private(set) var generation = -1
    /// The `nextTime` of each input, in the order of the inputs.
    var times: [HostTime?] = []
    /// The `EventSource.slack` of each input, the longest delay of its service, in nanoseconds.
    private(set) var slack: [Int64] = []
    /// For each input, whether the loop asks for its descriptor at each turn, since the kernel's list does not have
    /// this descriptor.
    private(set) var mayAdd: [Bool] = []
    /// The inputs that are due after the wait.
    var due = DueSources<Entry>()

    init(_ wake: WakeEvent) { wait = EventWait(wake) }

    mutating func begin(_ generation: Int, _ inputs: some Sequence<any EventSource>) {
      if self.generation != generation { replaceInputs(with: Array(inputs)) }
      self.generation = generation
      wait.begin()
    }

    /// Replaces the inputs of the turn: reads the slacks and descriptors of the new inputs.
    private mutating func replaceInputs(with inputs: [any EventSource]) {
      times = [HostTime?](repeating: nil, count: inputs.count)
      slack = inputs.map(\.slack)
      let isKept = wait.register(inputs.map { $0.keepsDescriptor ? $0.descriptor : nil })
      mayAdd = inputs.indices.map {
        !isKept[$0] && !(inputs[$0].keepsDescriptor && inputs[$0].descriptor == nil)
      }
    }

    /// Returns whether the input with this index can be read without waiting.
    func isReady(_ input: any EventSource, _ index: Int) -> Bool {
      mayAdd[index] ? input.descriptor.map(wait.isReady) ?? false : wait.isReady(kept: index)
    }
  }
}
