import Glibc
import MoMu

/// Removes an unfinished file if a signal ends the program.
enum UnfinishedFile {
  /// Makes SIGINT (Ctrl-C), SIGTERM and SIGHUP remove the file; afterwards, the program ends by the signal as usual.
  ///
  /// - Thread: call this function on the main thread before any other thread starts, since other threads must inherit
  ///   the signal mask that blocks these signals. From then on, a new thread waits for these signals and ends the
  ///   program.
  /// - Throws: `MoThread.Failure`.
  static func removeWhenEnded(_ path: String) throws(MoThread.Failure) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let wanted = signals
    _ = try MoThread(name: "mo-signals") { _ in
      var signals = wanted
      var number: Int32 = 0
      while sigwait(&signals, &number) != 0 {}
      unlink(path)
      // Raise the signal unblocked, so that the parent process sees how the program ended.
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(number)
    }
  }

  /// Whether the parent process set the signal to be ignored, as nohup does.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
