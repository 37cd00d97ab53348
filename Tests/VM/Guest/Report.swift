import Glibc

/// Prints one line a check, at once: the guest's /init counts them, and a crash must lose none.
struct Report {
  let group: String

  /// States a law and whether it held; `found` is printed where it did not.
  func check(_ law: String, _ holds: Bool, _ found: @autoclosure () -> String = "") {
    let detail = holds ? "" : found()
    line((holds ? "ok " : "not ok ") + "\(group): \(law)" + (detail.isEmpty ? "" : " - " + detail))
  }

  /// Prints a figure worth keeping beside the checks.
  func note(_ text: String) { line("# \(group): \(text)") }

  private func line(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(1, bytes, bytes.count)
  }
}

/// What a system call or a library answered where it should have succeeded.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ text: String) { description = text }

  /// A failed call with the reason errno holds.
  init(call: String, errno code: Int32 = errno) {
    description = "\(call): " + (String(cString: strerror(code)))
  }
}
