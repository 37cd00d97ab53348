import MoCore
import MoMu
import MoSessionCore

/// The thread `mo-avahi`: publishes a member with Avahi's daemon, and passes on the addresses that it reports.
///
/// It is a thread of its own, since the library waits for the bus and for the daemon's answers: half a minute if one of
/// them hangs.
///
/// - Thread: any.
final class AvahiFinding: @unchecked Sendable {
  // Unchecked: `library`, `isStopped` and `trouble` are guarded by `lock`; `finder` is the thread's own.
  private let lock = MoMutex()
  private var library: AvahiLibrary?
  private var isStopped = false
  private var kept: AvahiTrouble?
  private let ended = WakeEvent()

  private var finder: ServiceFinder
  private let port: UInt16
  private let server: SessionServer
  private let clock: any TimeSource

  /// The longest time that `stop` waits for the daemon to withdraw the service.
  private static let patience = Duration.milliseconds(250)

  /// Starts for a member that listens at `port`.
  init(
    _ record: ServiceRecord, port: UInt16, isHidden: Bool, server: SessionServer, clock: any TimeSource
  ) throws(MoThread.Failure) {
    finder = ServiceFinder(record, isHidden: isHidden, now: clock.now)
    (self.port, self.server, self.clock) = (port, server, clock)
    _ = try MoThread(name: "mo-avahi", stackBytes: 256 * 1024) { [self] body in
      run(body)
      ended.raise()
    }
  }

  /// The reason why Avahi does not help; nil while it does, or while that is not known.
  var trouble: AvahiTrouble? { lock.withLock { kept } }

  /// Withdraws the published service, and ends.
  func stop() {
    lock.withLock {
      isStopped = true
      library?.wake()
    }
    ended.wait(for: Self.patience)
  }

  private var isOver: Bool { lock.withLock { isStopped } }

  private func run(_ body: MoThread.Body) {
    guard let library = AvahiLibrary() else { return note(.library(AvahiLibrary.fault ?? "no memory")) }
    lock.withLock { self.library = library }
    defer { lock.withLock { self.library = nil } }
    while !isOver {
      let now = clock.now
      for event in library.takeEvents() { finder.take(event, now: now) }
      finder.tick(at: now) { id in server.look { core, _ in core.isMissing(id) } ?? false }
      handOn(finder.takeFindings())
      note(AvahiTrouble(finder.status))
      let steps = finder.takeSteps()
      for step in steps where !isOver { library.perform(step, for: finder.record, port: port) }
      // The answers may already be there.
      let pause = steps.isEmpty ? max(0, finder.next.nanoseconds(since: clock.now)) / 1_000_000 + 1 : 0
      if !isOver, !library.wait(milliseconds: Int(pause)) { body.sleep(for: .milliseconds(100)) }
    }
    library.perform(.disconnect, for: finder.record, port: port)
  }

  private func handOn(_ findings: [ServiceFinder.Finding]) {
    guard !findings.isEmpty, !isOver else { return }
    _ = server.perform { core, now in
      for finding in findings {
        switch finding {
        case .hint(let hint): core.note(hint, now: now)
        case .gone(let hint): core.forget(hint)
        }
      }
    }
  }

  private func note(_ trouble: AvahiTrouble?) {
    let isNew = lock.withLock {
      defer { kept = trouble }
      return kept != trouble
    }
    if isNew, let trouble { MoLog.log(.debug, trouble.description) }
  }
}
