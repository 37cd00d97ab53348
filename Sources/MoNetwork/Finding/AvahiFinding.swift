import MoCore
import MoRuntime

/// The thread `mo-avahi`, which publishes a service through Avahi's daemon, and reports to the caller the services that
/// the daemon finds.
///
/// `Place` is the caller's description of a found service, such as a member's ID and address. The thread is separate,
/// since Avahi's library waits for D-Bus and for the daemon's answers: up to half a minute if D-Bus or the daemon
/// hangs.
///
/// - Thread: any.
package final class AvahiFinding<Place: Hashable & Sendable>: @unchecked Sendable {
  // Unchecked: `library`, `isStopped` and `problem` are guarded by `lock`; `finder` is the thread's own.
  private let lock = MoMutex()
  private var library: AvahiLibrary?
  private var isStopped = false
  private var kept: AvahiProblem?
  private let ended = WakeEvent()

  private var finder: ServiceDirectory<Place>
  private let type: String
  private let strings: [[UInt8]]
  private let port: UInt16
  private let clock: any TimeSource
  private let isMissing: @Sendable (Place) -> Bool
  private let receive: @Sendable ([ServiceDirectory<Place>.Finding]) -> Void

  /// The longest time that `stop` waits for the daemon to withdraw the service.
  private static var timeout: Duration { .milliseconds(250) }

  /// Starts the thread; the service to publish listens at `port`.
  ///
  /// - Parameters:
  ///   - type: the service type, such as `_momu._udp`.
  ///   - strings: the TXT strings to publish.
  ///   - isMissing: returns whether the program still tries to reach the service at a place; called on the thread
  ///     `mo-avahi`.
  ///   - receive: receives the found and the disappeared services; called on the thread `mo-avahi`.
  package init(
    _ directory: ServiceDirectory<Place>, type: String, strings: [[UInt8]], port: UInt16,
    clock: any TimeSource, isMissing: @escaping @Sendable (Place) -> Bool,
    receive: @escaping @Sendable ([ServiceDirectory<Place>.Finding]) -> Void
  ) throws(MoThread.Failure) {
    (finder, self.type, self.strings, self.port) = (directory, type, strings, port)
    (self.clock, self.isMissing, self.receive) = (clock, isMissing, receive)
    _ = try MoThread(name: "mo-avahi", stackBytes: 256 * 1024) { [self] body in
      run(body)
      ended.raise()
    }
  }

  /// The reason why Avahi cannot be used; nil while Avahi works, or while its state is not known yet.
  package var problem: AvahiProblem? { lock.withLock { kept } }

  /// Withdraws the published service and ends the thread; waits for the thread for at most 250 ms.
  package func stop() {
    lock.withLock {
      isStopped = true
      library?.wake()
    }
    ended.wait(for: Self.timeout)
  }

  private var isOver: Bool { lock.withLock { isStopped } }

  private func run(_ body: MoThread.Body) {
    guard let library = AvahiLibrary(type: type, strings: strings, port: port) else {
      return store(.library(AvahiLibrary.loadError ?? "no memory"))
    }
    lock.withLock { self.library = library }
    defer { lock.withLock { self.library = nil } }
    while !isOver {
      let now = clock.now
      for event in library.takeEvents() { finder.handle(event, now: now) }
      finder.tick(at: now, isMissing: isMissing)
      let findings = finder.takeFindings()
      if !findings.isEmpty, !isOver { receive(findings) }
      store(AvahiProblem(finder.status))
      let steps = finder.takeSteps()
      for step in steps where !isOver { library.perform(step) }
      // The answers may already be there.
      let pause = steps.isEmpty ? max(0, finder.next.nanoseconds(since: clock.now)) / 1_000_000 + 1 : 0
      if !isOver, !library.wait(milliseconds: Int(pause)) { body.sleep(for: .milliseconds(100)) }
    }
    library.perform(.disconnect)
  }

  private func store(_ problem: AvahiProblem?) {
    let isNew = lock.withLock {
      defer { kept = problem }
      return kept != problem
    }
    if isNew, let problem { MoLog.log(.debug, problem.description) }
  }
}

/// The reason why Avahi cannot be used; the program continues without Avahi.
package enum AvahiProblem: Hashable, Sendable, CustomStringConvertible {
  /// Avahi's client library cannot be loaded, for the given reason.
  case library(String)
  /// Avahi's daemon does not run.
  case daemon
  /// D-Bus, which connects programs to Avahi's daemon, cannot be reached, for the given reason.
  case bus(String)

  init?(_ status: ServiceStatus) {
    switch status {
    case .starting, .ready: return nil
    case .missing: self = .daemon
    case .unreachable(let reason): self = .bus(reason)
    }
  }

  /// The message for members of a session: the reason why Avahi cannot help to find members, and the command that
  /// helps.
  package var description: String { "Avahi cannot help to find members, because \(reason)" }

  /// The missing part of Avahi, and the command that installs or starts it.
  package var reason: String {
    switch self {
    case .library(let reason):
      "its library is missing (\(reason)): sudo apt-get install avahi-daemon libavahi-client3"
    case .daemon:
      "its daemon does not run: sudo apt-get install avahi-daemon, then sudo systemctl start avahi-daemon"
    case .bus(let reason): "there is no system bus (\(reason)): sudo apt-get install dbus"
    }
  }
}
