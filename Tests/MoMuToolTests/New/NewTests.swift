import MoTesting
import Testing

@testable import MoMuTool

@Suite("momu new")
struct NewTests {
  private let sources = MoMuSources(folder: packageFolder())

  private func problem(_ name: String) -> String {
    do throws(NewError) {
      _ = try PackageName(name, beside: sources)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "refuses an invalid name and proposes a valid one",
    arguments: [
      (
        "7bells",
        "\"7bells\" cannot be the name of a type in Swift: use letters and digits, such as Bells"
      ),
      (
        "wind-chimes",
        "\"wind-chimes\" cannot be the name of a type in Swift: use letters and digits, such as WindChimes"
      ),
      ("", "\"\" cannot be the name of a type in Swift: use letters and digits, such as Bell"),
      ("../x", "\"../x\" cannot be the name of a type in Swift: use letters and digits, such as X"),
      ("class", "\"class\" is a reserved word of Swift: choose another name, such as MyClass"),
      ("Piano", "\"Piano\" is a part of MoMu: choose another name, such as MyPiano"),
      ("MoDSP", "\"MoDSP\" is a part of MoMu: choose another name, such as MyMoDSP"),
      ("note", "\"note\" is a type that an instrument is made of: choose another name, such as MyNote"),
      ("Bell", ""), ("windChimes", ""), ("Bell_2", ""),
    ])
  func names(name: String, text: String) { #expect(problem(name) == text) }

  @Test("derives the type's name and the address from the name")
  func forms() throws {
    let name = try PackageName("windChimes2", beside: sources)
    #expect(name.type == "WindChimes2")
    #expect(name.address == "wind-chimes2")
    #expect(try PackageName("Bell_2", beside: sources).address == "bell2")
  }

  @Test("creates a package that depends on MoMu, with an instrument, a program and a test")
  func files() {
    let run = Self.inFolder(
      "momu new Bell && cd Bell && find . -type f | sort && swift package describe | sed -n 1p")
    #expect(
      run.text.hasSuffix(
        """
        ./.gitignore
        ./Package.swift
        ./Sources/Bell/Bell.swift
        ./Sources/Bell/main.swift
        ./Tests/BellTests/BellTests.swift
        Name: Bell

        """), "\(run.text)")
    #expect(run.lines.first == "Created Bell. Now:")
  }

  @Test("creates nothing outside the folder, even with the rights to do so")
  func outside() {
    // In the root folder, to which only root may write.
    let name = "Stray\(UInt32.random(in: 0 ... .max))"
    let run = Self.inFolder(
      "momu new \(name) >/dev/null && ls -d /Sources/\(name) /Tests/\(name)Tests 2>/dev/null")
    #expect(run.text == "")
  }

  @Test("formats its files like MoMu's own sources")
  func format() {
    let run = Self.inFolder(
      "momu new WindChimes >/dev/null && swift format lint --recursive --strict --configuration '\(sources.folder)/.swift-format' WindChimes"
    )
    #expect(run.text == "")
    #expect(run.status == 0)
  }

  @Test("leaves an existing folder alone and refuses a folder without sources")
  func refusals() {
    #expect(
      Self.inFolder("mkdir Bell && momu new Bell; ls Bell").text
        == "Bell already exists here: choose another name, or go to another folder with cd\n")
    #expect(
      Self.inFolder("momu new Bell --momu /usr").text
        == "/usr does not contain MoMu's sources: give the folder of MoMu's Package.swift with --momu FOLDER\n"
    )
    #expect(
      Self.inFolder("cp $(command -v momu) here && ./here new Bell").text
        == "cannot find MoMu's sources from the folder of momu: give their folder with --momu FOLDER\n")
  }

  /// Runs a line of shell in an empty folder; `momu` is the tool.
  static func inFolder(_ line: String) -> ProgramRun { Scratch().run(line) }
}
