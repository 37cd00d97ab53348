import Glibc

/// Runs a program and returns its standard output; nil if the program is missing or fails.
///
/// The program gets its arguments without a shell, so special characters in an interface's name have no effect. The
/// program may be in PATH, or in an administrator's folder such as `/usr/sbin`, which is not in every user's PATH.
///
/// - Parameter command: the program's name and its arguments.
func output(of command: [String]) -> String? {
  guard let program = command.first.flatMap(executable) else { return nil }
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { return nil }
  defer { close(ends[0]) }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
  var words = command.map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  var process: pid_t = 0
  let failure = posix_spawn(&process, program, &actions, nil, &words, environ)
  close(ends[1])
  guard failure == 0 else { return nil }

  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(ends[0], &buffer, buffer.count)
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { break }
    bytes += buffer[..<count]
  }
  var status: Int32 = 0
  while waitpid(process, &status, 0) < 0 && errno == EINTR {}
  return status == 0 ? String(decoding: bytes, as: UTF8.self) : nil
}

private func executable(_ name: String) -> String? {
  let path = getenv("PATH").map { String(cString: $0) } ?? ""
  let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin", "/usr/bin", "/bin"]
  return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
}
