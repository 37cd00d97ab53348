import CMoSystem
import Glibc
import MoCore
import Synchronization

/// Ctrl-C and the other ways of asking a program to end, made into one flag to wait for.
///
/// Signals are blocked in every thread and taken by one that does nothing else. A second one, or a first that
/// nobody attends to, ends the program at once.
final class StopSignals: Sendable {
  /// Raised by the first signal.
  let stop = WakeEvent()
  private let hasStopped = Atomic<Bool>(false)

  /// Whether a signal came.
  var isRaised: Bool { hasStopped.load(ordering: .acquiring) }

  /// Begins to listen; before any other thread is started, since threads inherit the blocked signals.
  ///
  /// - Parameter abandon: what must be put right before the program ends without its own clean-up.
  /// - Throws: `MoThread.Failure` where there is no thread for it.
  func listen(abandon: @escaping @Sendable () -> Void) throws(MoThread.Failure) {
    // A reader that went away (`| head`) and a file that may not grow are errors of that write, not the end.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let waited = signals
    _ = try MoThread(name: "mo-signals", stackBytes: 128 * 1024) { [self] _ in
      var waited = waited
      var number: Int32 = 0
      while sigwait(&waited, &number) == 0 {
        if hasStopped.exchange(true, ordering: .acquiringAndReleasing) {
          abandon()
          _exit(128 + number)
        }
        stop.raise()
      }
    }
  }
}
