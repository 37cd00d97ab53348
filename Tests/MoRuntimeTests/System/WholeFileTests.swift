import Glibc
import MoRuntime
import MoTesting
import Testing

@Suite("Atomic files")
struct WholeFileTests {
  private let scratch = Scratch()

  private var names: [String] { SystemFiles.names(in: scratch.path).sorted() }

  /// Writes a file with a last write a number of seconds ago.
  private func put(_ name: String, age: Int = 3600) throws {
    let path = "\(scratch.path)/\(name)"
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    let moment = timespec(tv_sec: time(nil) - age, tv_nsec: 0)
    try #require(futimens(file, [moment, moment]) == 0)
  }

  @Test("remove only the leftovers of a killed program at the next write")
  func leftovers() throws {
    // Above the greatest number that Linux gives a process; see proc(5), pid_max.
    let dead = 4_194_305
    let others = [
      "a.\(dead)", "a.b.\(dead).unfinished", "a.\(getpid())1x.unfinished", "a.unfinished", "a..unfinished",
      "a.0.unfinished", "a.-1.unfinished", "a.1.unfinished", "b.\(dead).unfinished",
    ]
    for name in others { try put(name) }
    try put("a.\(dead).unfinished")
    try put("a.\(dead + 1).unfinished")
    // A file of another machine, which writes at this moment.
    try put("a.\(dead + 2).unfinished", age: 0)
    #expect(WholeFile.write("whole", to: "\(scratch.path)/a", isPrivate: true) == nil)
    #expect(WholeFile.text(of: "\(scratch.path)/a") == "whole")
    #expect(names == (others + ["a", "a.\(dead + 2).unfinished"]).sorted())
  }

  @Test("keep an earlier recording under the next free number, whatever its name")
  func earlier() throws {
    for (name, kept) in [("a.osc", "a-1.osc"), ("b", "b-1"), (".c", ".c-1"), ("d.e.mid", "d.e-1.mid")] {
      let path = "\(scratch.path)/\(name)"
      #expect(WholeFile.keepEarlier(path) == nil)
      WholeFile.write("first", to: path, isPrivate: false)
      #expect(WholeFile.keepEarlier(path) == "\(scratch.path)/\(kept)")
      #expect(WholeFile.text(of: "\(scratch.path)/\(kept)") == "first")
      #expect(SystemFiles.names(in: scratch.path).contains(name) == false)
    }
    WholeFile.write("second", to: "\(scratch.path)/a.osc", isPrivate: false)
    #expect(WholeFile.keepEarlier("\(scratch.path)/a.osc") == "\(scratch.path)/a-2.osc")
    #expect(WholeFile.text(of: "\(scratch.path)/a-1.osc") == "first")
    try put("empty.osc")
    #expect(WholeFile.keepEarlier("\(scratch.path)/empty.osc") == nil)
    #expect(WholeFile.keepEarlier("/dev/null") == nil)
  }

  @Test("leave nothing behind after a failed replacement")
  func refused() throws {
    try #require(mkdir("\(scratch.path)/folder", 0o700) == 0)
    #expect(WholeFile.replace("\(scratch.path)/folder", with: [1]) == "Is a directory")
    #expect(names == ["folder"])
  }

  @Test("create the folders in their path")
  func folders() {
    #expect(WholeFile.write("x", to: "\(scratch.path)/one/two/file", isPrivate: false) == nil)
    #expect(WholeFile.text(of: "\(scratch.path)/one/two/file") == "x")
  }
}
