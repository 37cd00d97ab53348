import Glibc

/// A temporary folder of a test, removed with all its files when this object is released.
public final class Scratch {
  /// The path of the folder.
  public let path: String

  /// Creates an empty folder.
  public init() {
    var template = Array("/tmp/momu-test-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    // Another user must be able to enter it, if a test runs a program as that user.
    chmod(path, 0o711)
  }

  deinit {
    // Most folders are empty, and need no shell. `ProgramRun` creates such a folder itself, so it cannot
    // remove one.
    if rmdir(path) != 0, errno != ENOENT, let removal = popen("rm -rf '\(path)'", "r") { pclose(removal) }
  }

  /// Returns the path of a file in the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Runs a line of shell commands in the folder, with the folder of this package's programs in `PATH`.
  @discardableResult
  public func run(_ line: String) -> ProgramRun {
    ProgramRun(shell: "cd '\(path)' && export PATH='\(ProgramRun.folder)':\"$PATH\" && \(line)")
  }
}
