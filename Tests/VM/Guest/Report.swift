import Glibc

/// Prints one line for each check, unbuffered: the guest's /init counts them, and a crash must lose none.
struct Report {
  let group: String

  /// Reports a law and whether it held; if not, prints `found`.
  func check(_ law: String, _ holds: Bool, _ found: @autoclosure () -> String = "") {
    let detail = holds ? "" : found()
    line((holds ? "ok " : "not ok ") + "\(group): \(law)" + (detail.isEmpty ? "" : " - " + detail))
  }

  /// Prints a figure that is worth recording.
  func note(_ text: String) { line("# \(group): \(text)") }

  private func line(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(1, bytes, bytes.count)
  }
}

/// An unexpected result of a system call or a library.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ text: String) { description = text }

  /// A failed call, with the reason in errno.
  init(call: String, errno code: Int32 = errno) {
    description = "\(call): " + (String(cString: strerror(code)))
  }
}
