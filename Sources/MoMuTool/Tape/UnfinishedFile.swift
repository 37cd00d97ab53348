import Glibc
import MoMu

/// A file that is being made: taken away where the program is asked to end before it is whole.
enum UnfinishedFile {
  /// Has the file taken away at Ctrl-C, SIGTERM or SIGHUP, whatever the program is doing then, which ends by that
  /// signal none the less.
  ///
  /// - Thread: called on the main thread before any other thread is made, since threads inherit which signals are kept
  ///   back; from then on they end the program through a thread that waits for them.
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
      // As if it had not been kept back: whoever started the program sees how it ended.
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(number)
    }
  }

  /// Whether whoever started the program lets it ignore a signal, as nohup does.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
