import CMoSystem
import Glibc
import MoCore
import MoRuntime
import Synchronization

/// Receives the termination signals SIGINT (Ctrl-C), SIGTERM and SIGHUP, so that the program can wait for the first of
/// them.
///
/// These signals are blocked in every thread; the thread `mo-signals` waits for them. A second signal ends the program
/// immediately. A SIGHUP that is set to be ignored, as under nohup, stays ignored.
final class StopSignals: Sendable {
  /// The event that the first signal raises.
  let stop = WakeEvent()
  private let hasStopped = Atomic<Bool>(false)

  /// Whether a signal was received.
  var isRaised: Bool { hasStopped.load(ordering: .acquiring) }

  /// Starts listening; call this function before any other thread starts, because threads inherit the blocked signals.
  ///
  /// - Parameter abandon: called when a second signal ends the program without its normal clean-up; it restores the
  ///   terminal.
  /// - Throws: `MoThread.Failure` if the thread cannot be created.
  func listen(abandon: @escaping @Sendable () -> Void) throws(MoThread.Failure) {
    // A closed pipe (`| head`) and the file size limit are errors of that write, not a reason to end.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    var signals = EndSignals.received
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
