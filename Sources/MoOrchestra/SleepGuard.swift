import Glibc
import MoCore

/// A guard that prevents the machine from sleeping, on request, if systemd's `systemd-inhibit` is installed.
///
/// The thread `mo-awake` starts `systemd-inhibit` and waits for its end, since starting a program from a slow disk
/// blocks.
///
/// - Thread: any.
final class SleepGuard: @unchecked Sendable {
  // Unchecked: guarded by `lock`.
  private let lock = MoMutex()
  private var isWanted = false
  /// The number of the latest request; `served` is the number of the latest handled request.
  ///
  /// A request is a call of `keepAwake` with a changed value.
  ///
  /// If `systemd-inhibit` ends by itself, its request counts as handled, so that the thread does not start
  /// `systemd-inhibit` again and again.
  private var request = 0
  private var served = 0
  private var isAtWork = false
  private var inhibitor: SleepInhibitor?

  /// Keeps the machine awake, or lets it sleep again; returns before this takes effect.
  func keepAwake(_ isAwake: Bool) {
    lock.withLock {
      guard isAwake != isWanted else { return }
      isWanted = isAwake
      request += 1
      if !isAwake { inhibitor?.end() }
      guard isAwake, !isAtWork else { return }
      // If no thread can be started, the machine stays as it is.
      isAtWork = (try? MoThread(name: "mo-awake") { [self] _ in work() }) != nil
    }
  }

  private func work() {
    while let request = nextRequest() {
      guard let begun = SleepInhibitor() else { continue }
      lock.withLock {
        inhibitor = begun
        if request != self.request { begun.end() }
      }
      begun.waitForEnd()
      lock.withLock {
        begun.reap()
        inhibitor = nil
      }
    }
  }

  /// Returns the number of the request to handle now; nil if there is none, after which the thread ends.
  private func nextRequest() -> Int? {
    lock.withLock {
      isAtWork = isWanted && request != served
      guard isAtWork else { return nil }
      served = request
      return request
    }
  }
}

/// The process `systemd-inhibit`, which keeps the machine awake until it ends.
///
/// The process runs `cat` with a pipe as its input. When this program ends, however it ends, the pipe closes, `cat`
/// ends, and the machine may sleep again.
private final class SleepInhibitor {
  private let process: pid_t
  /// The pipe's open end; -1 after it is closed.
  private var pipe: Int32

  /// Starts the process, which may wait for a slow disk; nil if `systemd-inhibit` is not installed.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    pipe = ends[1]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    let words = ["systemd-inhibit", "--what=idle:sleep", "--who=MoMu", "--why=a rhythm is playing", "cat"]
    var arguments = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let isThere = posix_spawnp(&process, "systemd-inhibit", &actions, nil, arguments, environ) == 0
    self.process = process
    guard isThere else {
      close(pipe)
      return nil
    }
  }

  /// Ends the process if it runs; `waitForEnd` must follow.
  func end() {
    guard pipe >= 0 else { return }
    close(pipe)
    pipe = -1
    // It may be waiting for a bus that does not answer and would not notice the pipe; its lock ends with it.
    kill(process, SIGKILL)
  }

  /// Waits until the process has ended, without freeing its ID, so that no other process is killed by mistake.
  func waitForEnd() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
  }

  /// Frees the ID of the process.
  func reap() {
    waitpid(process, nil, WNOHANG)
    if pipe >= 0 { close(pipe) }
    pipe = -1
  }
}
