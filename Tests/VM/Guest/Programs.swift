import Glibc

/// Starts a program; its output goes to a file, or to this program's output.
func spawn(_ arguments: [String], output: String? = nil, withErrors: Bool = false) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  if let output {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    if withErrors { posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO) }
  }
  var process = pid_t()
  let words = arguments.map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  guard posix_spawn(&process, arguments[0], &actions, nil, words, environ) == 0 else {
    throw Failure(call: "posix_spawn \(arguments[0])")
  }
  return process
}

@discardableResult
func finish(_ process: pid_t) throws -> Int32 {
  var status: Int32 = 0
  guard waitpid(process, &status, 0) == process else { throw Failure(call: "waitpid") }
  return status
}

func save(_ text: String, to path: String) throws {
  guard let file = fopen(path, "w") else { throw Failure(call: "fopen \(path)") }
  fputs(text, file)
  fclose(file)
}

func printed(in path: String) -> String {
  guard let file = fopen(path, "r") else { return "" }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while case let letter = fgetc(file), letter != EOF { bytes.append(UInt8(truncatingIfNeeded: letter)) }
  return String(decoding: bytes, as: UTF8.self)
}
