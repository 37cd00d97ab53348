import Glibc

/// What a program printed, both streams together, and how it ended.
struct ProgramRun {
  let text: String
  let status: Int32

  /// Runs one of this package's programs, built beside the tests.
  init(_ name: String, _ arguments: String...) {
    let tests = realpath("/proc/self/exe", nil)
    defer { free(tests) }
    let folder =
      tests.map { String(cString: $0).split(separator: "/").dropLast().joined(separator: "/") } ?? ""
    let line = (["'/\(folder)/\(name)'"] + arguments).joined(separator: " ") + " 2>&1"
    var bytes: [UInt8] = []
    guard let output = popen("export SWIFT_BACKTRACE=enable=no; " + line, "r") else {
      text = ""
      status = -1
      return
    }
    while case let letter = fgetc(output), letter != EOF { bytes.append(UInt8(truncatingIfNeeded: letter)) }
    let ended = pclose(output)
    text = String(decoding: bytes, as: UTF8.self)
    status = ended & 0x7f == 0 ? (ended >> 8) & 0xff : -(ended & 0x7f)
  }

  /// The lines it printed.
  var lines: [Substring] { text.split(separator: "\n") }
}
