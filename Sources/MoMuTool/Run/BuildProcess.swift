import Glibc
import MoMu

/// A build command that another thread can cancel.
///
/// - Thread: `run` on one thread at a time; `cancel` on any.
final class BuildProcess: Sendable {
  /// The ID of the running process, which leads its process group; 0 for none.
  private let running = Locked<pid_t>(0)

  /// Runs a command to its end.
  ///
  /// - Parameter log: the file for the command's output.
  /// - Returns: whether the command succeeded.
  func run(_ command: [String], log: String) -> Bool {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // With its own process group, the whole build can be killed, and Ctrl-C reaches the sound only. No signal is
    // blocked.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let process = running.withLock { running -> pid_t in
      var process: pid_t = 0
      guard posix_spawnp(&process, command[0], &actions, &attributes, &words, environ) == 0 else { return 0 }
      running = process
      return process
    }
    return process > 0 && wait(for: process)
  }

  /// Kills the running command with the processes that it started; without effect if no command runs.
  func cancel() { running.withLock { if $0 > 0 { kill(-$0, SIGKILL) } } }

  private func wait(for process: pid_t) -> Bool {
    var about = siginfo_t()
    // WNOWAIT keeps the process ID reserved, so that `cancel` cannot kill another process by mistake.
    while waitid(P_PID, id_t(process), &about, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
    running.withLock { $0 = 0 }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status == 0
  }
}
