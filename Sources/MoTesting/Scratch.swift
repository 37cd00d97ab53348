import Glibc

/// A folder of a test's own, gone with the test and with all that is in it.
public final class Scratch {
  /// Where it is.
  public let path: String

  /// Makes an empty one.
  public init() {
    var template = Array("/tmp/momu-test-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    // What a program makes in it may be for somebody else, as whom it runs another.
    chmod(path, 0o711)
  }

  deinit {
    // Most are empty; and a program's run has such a folder, so that none can be what removes it.
    if rmdir(path) != 0, errno != ENOENT, let removal = popen("rm -rf '\(path)'", "r") { pclose(removal) }
  }

  /// The path of a file in it.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Runs a line of shell in it, where this package's programs are found by their names.
  @discardableResult
  public func run(_ line: String) -> ProgramRun {
    ProgramRun(shell: "cd '\(path)' && export PATH='\(ProgramRun.folder)':\"$PATH\" && \(line)")
  }
}
