import Glibc

/// Keeps the machine from idling and sleeping for as long as it lives, where systemd's `systemd-inhibit` is there.
///
/// It runs `cat` under it with a pipe as its input: when this program ends, however it ends, the pipe closes, `cat`
/// ends, and the machine may sleep again.
final class SleepGuard {
  private var pipe: (read: Int32, write: Int32) = (-1, -1)
  private var process: pid_t = 0

  init() {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    pipe = (ends[0], ends[1])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe.read, STDIN_FILENO)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    let words = ["systemd-inhibit", "--what=idle:sleep", "--who=MoMu", "--why=a rhythm is playing", "cat"]
    var arguments = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    if posix_spawnp(&process, "systemd-inhibit", &actions, nil, arguments, environ) != 0 { process = 0 }
  }

  deinit {
    if pipe.write >= 0 { close(pipe.write) }
    if pipe.read >= 0 { close(pipe.read) }
    guard process > 0 else { return }
    // It may be waiting for a bus that does not answer, and would not see the pipe; its lock goes with it.
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }
}
