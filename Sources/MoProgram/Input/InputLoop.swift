import CMoSystem
import Glibc
import MoRealTime
import MoTime
import Synchronization

/// Drives the inputs of a run: in real time from the `mo-input` thread, offline from the renderer.
///
/// The thread waits for all descriptors and times at once, and turns to those inputs only that have something to do:
/// most of a hundred readings a second concern one of many. It starts with the first input and ends with the last.
///
/// - Thread: any; inputs are serviced one at a time.
package final class InputLoop: @unchecked Sendable {
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
  private let wake = MoSignal()
  /// The thread that services now, and the lock it holds meanwhile.
  private let servicing = MoMutex()
  private let servicer = Atomic<UInt>(0)

  /// An input, and what to do when it ends by itself.
  private final class Entry: @unchecked Sendable {
    // Unchecked: only the thread that holds `servicing` uses the input.
    let input: any InputSource
    let ended: @Sendable (any Error) -> Void

    init(_ input: any InputSource, _ ended: @escaping @Sendable (any Error) -> Void) {
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
  package func add(_ input: sending any InputSource, ended: @escaping @Sendable (any Error) -> Void) throws {
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
  package func remove(_ input: any InputSource) {
    let wasThere = lock.withLock {
      let count = entries.count
      entries = entries.filter { $0.input !== input }
      return entries.count < count
    }
    guard wasThere else { return }
    wake.raise()
    settle()
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
    exclusively { service(snapshot().inputs.map { ($0.input.nextTime ?? now, $0) }, until: now) }
  }

  /// Lets those inputs deliver whose time has come, or that have something to read, the earliest first.
  private func service(_ turn: inout Turn, until now: HostTime) {
    exclusively {
      let (inputs, generation) = snapshot()
      // Asked before the wait, unless somebody has said since that there is something new.
      let isAsked = generation == turn.generation && !turn.wait.wasWoken
      var due: [(time: HostTime, entry: Entry)] = []
      for index in inputs.indices {
        let entry = inputs[index]
        let time = isAsked ? turn.times[index] : entry.input.nextTime
        if time.map({ $0 <= now }) ?? false || entry.input.descriptor.map(turn.wait.isReady) ?? false {
          due.append((time ?? now, entry))
        }
      }
      service(due, until: now)
    }
  }

  private func service(_ due: [(time: HostTime, entry: Entry)], until now: HostTime) {
    exclusively {
      for (_, entry) in due.count < 2 ? due : due.sorted(by: { $0.time < $1.time }) {
        // One that another removed a moment ago is left alone.
        guard snapshot().inputs.contains(where: { $0 === entry }) else { continue }
        do {
          try entry.input.service(until: now)
        } catch {
          lock.withLock { entries = entries.filter { $0 !== entry } }
          entry.ended(error)
        }
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
    // An input added in this moment must find either this thread, which sees it, or none.
    let goesOn = lock.withLock {
      if entries.isEmpty { thread = nil }
      return !entries.isEmpty
    }
    guard goesOn else { return nil }
    return exclusively { () -> Int64 in
      let (inputs, generation) = snapshot()
      turn.begin(generation)
      var next: HostTime?
      for entry in inputs {
        let time = entry.input.nextTime
        turn.times.append(time)
        if let time { next = min(next ?? time, time) }
        if let descriptor = entry.input.descriptor { turn.wait.add(descriptor) }
      }
      return next.map { max(0, $0.nanoseconds(since: clock.now)) } ?? -1
    }
  }

  /// What the inputs said before a wait; its memory is used again at each turn.
  private struct Turn {
    var wait: InputWait
    /// Which inputs were asked.
    private(set) var generation = 0
    /// When each has something to do by itself.
    var times: [HostTime?] = []

    init(_ wake: MoSignal) { wait = InputWait(wake) }

    mutating func begin(_ generation: Int) {
      self.generation = generation
      times.removeAll(keepingCapacity: true)
      wait.begin()
    }
  }
}
