import CMoSystem
import Glibc

/// A lookup of the function names and source lines of this executable and its libraries, by the toolchain's symboliser
/// (`llvm-symbolizer`).
///
/// Swift's Runtime module could find the names without another program, but would add over a megabyte to every program.
/// Each machine that has `swift run` has the symboliser. Without the symboliser, `RealTimeReport` has fewer names.
enum Symboliser {
  /// Returns the calls at each code offset of a program or library; if calls were inlined there, the innermost comes
  /// first.
  static func lines(of image: String, at offsets: [Int]) -> [Int: [StackFrame]] {
    guard !offsets.isEmpty else { return [:] }
    let query = ["-a", "-f", "-i", "-e", image] + offsets.map { "0x" + String($0, radix: 16) }
    for program in programs() {
      let style = program.hasSuffix("llvm-symbolizer") ? ["--output-style=GNU"] : []
      if let answer = output(of: [program] + style + query), !answer.isEmpty { return parse(answer) }
    }
    return [:]
  }

  /// Parses the output that GNU addr2line and llvm-symbolizer have in common: for each address, pairs of function name
  /// and `file:line`.
  static func parse(_ answer: String) -> [Int: [StackFrame]] {
    var found: [Int: [StackFrame]] = [:]
    var offset: Int?
    var name: Substring?
    for line in answer.split(separator: "\n") {
      if line.hasPrefix("0x") {
        offset = wholeNumber(line.dropFirst(2), radix: 16)
        name = nil
      } else if let known = name {
        let place = line.split(separator: " ").first ?? line  // "file:12 (discriminator 3)"
        let colon = place.lastIndex(of: ":") ?? place.endIndex
        let frame = StackFrame(
          name: StackFrame.readable(String(known)), file: String(place[..<colon]),
          line: wholeNumber(place[colon...].dropFirst()))
        if let offset { found[offset, default: []].append(frame) }
        name = nil
      } else {
        name = line
      }
    }
    return found
  }

  /// The path of this executable.
  static var executable: String {
    let path = realpath("/proc/self/exe", nil)
    defer { free(path) }
    return path.map { String(cString: $0) } ?? ""
  }

  /// Returns the symbolisers to try: first the path in the toolchain of the Swift libraries in use, then command names.
  private static func programs() -> [String] {
    let runtime = dlsym(nil, "swift_retain").flatMap { momu_rt_place_of($0).library }
    guard let library = runtime.map({ String(cString: $0) }) else { return ["llvm-symbolizer", "addr2line"] }
    return [
      library.prefix(upTo: library.lastIndex(of: "/") ?? library.startIndex)
        + "/../../../bin/llvm-symbolizer",
      "llvm-symbolizer", "addr2line",
    ]
  }

  /// Returns the standard output of a program; nil if the program cannot be run or reports a failure.
  ///
  /// - Parameter words: the program's name or path, and its arguments.
  private static func output(of words: [String]) -> String? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    var child: pid_t = 0
    let failed = posix_spawnp(&child, words[0], &actions, nil, &arguments, environ)
    close(ends[1])
    guard failed == 0 else { return nil }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while case let count = read(ends[0], &part, part.count), count > 0 { bytes += part[..<count] }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return status == 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
