import Glibc
import MoRuntime

/// Reads the state of the system: from this machine's /proc and /sys, or from a copy of them.
struct SystemReader {
  /// The folder that contains `proc` and `sys`; empty for this machine.
  var root = ""
  /// Whether the program has root's rights.
  var isRoot = getuid() == 0
  /// Returns the addresses of all network interfaces; no file of /proc or /sys contains these addresses.
  var addresses: () -> [InterfaceAddress] = InterfaceAddress.all
  /// Runs a program, given as its name and arguments, and returns its output; nil if the program is missing or fails.
  var run: ([String]) -> String? = output(of:)
  /// Returns this program's rights to a device file; nil if the file is missing.
  var rights: (String) -> FileRights? = FileRights.own

  /// Returns the text of a file; nil if the file cannot be read.
  func text(_ path: String) -> String? {
    guard let file = fopen(root + path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    // A folder can be opened; only reading it fails.
    return ferror(file) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }

  /// Returns the non-empty lines of a file, except the first `heading` of these lines; none if the file cannot be read.
  func lines(_ path: String, heading: Int = 0) -> [Substring] {
    (text(path) ?? "").split(separator: "\n").dropFirst(heading).map { $0 }
  }

  /// Returns the first line of a file, without white space at its ends; nil if the file cannot be read.
  func word(_ path: String) -> String? {
    text(path)?.split(separator: "\n", omittingEmptySubsequences: false).first.map { String($0.trimmed) }
  }

  func number(_ path: String) -> Int? { word(path).flatMap { Int($0) } }

  /// Whether the path exists, even as a broken link.
  func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(root + path, &status) == 0
  }

  /// Returns the target of a symbolic link; nil if the path is no symbolic link.
  func link(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { readlink(root + path, $0.baseAddress!, $0.count) }
    }
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Returns the names of all files and folders in a folder, in alphabetical order: `event10` before `event9`.
  func names(_ path: String) -> [String] { SystemFiles.names(in: root + path).sorted() }

  /// Returns the names in a folder that begin with one of `beginnings`, in numeric order: `event9` before `event10`.
  func numbered(_ beginnings: String..., in path: String) -> [String] {
    SystemFiles.names(in: root + path).filter { name in beginnings.contains { name.hasPrefix($0) } }
  }
}

extension SystemReader {
  /// Returns, for each file or socket, the first process found that has the file or socket open.
  ///
  /// Without root's rights, only the user's own processes are found.
  ///
  /// - Parameter links: the files and sockets, as the links in /proc/PID/fd name them, such as `/dev/ttyACM0` or
  ///   `socket:[12345]`.
  func holders(of links: Set<String>) -> [String: ResourceOwner] {
    guard !links.isEmpty else { return [:] }
    var holders: [String: ResourceOwner] = [:]
    for process in names("/proc").compactMap({ Int($0) }) {
      for descriptor in names("/proc/\(process)/fd") {
        guard let link = link("/proc/\(process)/fd/\(descriptor)"), links.contains(link), holders[link] == nil
        else { continue }
        holders[link] = holder(process)
      }
    }
    return holders
  }

  /// Returns the name and the ID of a process; the name is "a program" if it cannot be read.
  func holder(_ process: Int) -> ResourceOwner {
    ResourceOwner(name: word("/proc/\(process)/comm") ?? "a program", process: process)
  }
}

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
