import MoMu
import MoTesting
import Testing

@testable import MoMuTool

@Suite("Docs/YourFirstInstrument.md")
struct FirstInstrumentTests {
  private let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
  private var page: String { ProgramRun(shell: "cat '\(root)/Docs/YourFirstInstrument.md'").text }

  /// The Swift texts on the page, in their order.
  private var programs: [String] {
    page.split(separator: "```swift\n").dropFirst().map { text in
      text.firstRange(of: "```").map { String(text[..<$0.lowerBound]) } ?? ""
    }
  }

  private func template() throws -> PackageTemplate {
    let sources = MoMuSources(folder: root)
    return PackageTemplate(name: try PackageName("Bell", beside: sources), momu: root)
  }

  @Test("its first program plays, at the pitch that it says")
  func first() throws {
    let folder = ProgramRun(shell: "mktemp -d").lines.first.map(String.init) ?? ""
    defer { _ = ProgramRun(shell: "rm -rf '\(folder)'") }
    let run = ProgramRun(
      shell: """
        cd '\(folder)' && cat >bell.swift <<'end'
        \(try #require(programs.first))
        end
        XDG_CACHE_HOME=$PWD '\(ProgramRun.folder)/momu' run bell.swift --offline --seconds 1 --audio wav:a.wav
        """)
    #expect(run.text == "")
    let file = try SoundBuffer("\(folder)/a.wav")
    let sound = (0..<file.frames).map { file[$0] }
    let pitch = try #require(AudioMeasures.pitch(sound, sampleRate: 48_000, within: 150...300))
    #expect(abs(pitch - 220) < 0.5)
  }

  @Test("everything after it stands, to the letter, in what momu new makes")
  func steps() throws {
    let made = try template().files.map(\.text)
    #expect(programs.count > 7)
    for program in programs.dropFirst() {
      #expect(made.contains { $0.contains(program) }, "\(program)")
    }
  }

  @Test("the files that it names are made, and the whole is as short as it says")
  func whole() throws {
    let template = try template()
    for file in template.files where file.path.hasPrefix("Sources") || file.path.hasPrefix("Tests") {
      #expect(page.contains("`\(file.path)`"))
    }
    #expect(page.contains("`\(template.main.split(separator: "\n").last ?? "")`"))
    #expect(template.instrument.split(separator: "\n", omittingEmptySubsequences: false).count <= 70)
  }

  @Test("every word of momu that it types is one")
  func verbs() {
    let verbs = MomuCommand.configuration.subcommands.map { $0.configuration.commandName ?? "" }
    let lines = page.split(separator: "\n").filter { $0.hasPrefix("    momu ") }.map { $0.dropFirst(9) }
    let marked = page.split(separator: "`").filter { $0.hasPrefix("momu ") }.map { $0.dropFirst(5) }
    #expect(lines.count > 2 && marked.count > 2)
    for typed in lines + marked {
      #expect(verbs.contains(String(typed.prefix { $0.isLetter })), "momu \(typed)")
    }
  }
}
