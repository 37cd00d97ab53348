import MoMu
import MoTesting
import Testing

@testable import MoMuTool

@Suite("Docs/YourFirstInstrument.md")
struct FirstInstrumentTests {
  private let root = packageFolder()
  private var page: String { ProgramRun(shell: "cat '\(root)/Docs/YourFirstInstrument.md'").text }

  /// The Swift code on the page, in order.
  private var programs: [String] {
    page.split(separator: "```swift\n").dropFirst().map { text in
      text.firstRange(of: "```").map { String(text[..<$0.lowerBound]) } ?? ""
    }
  }

  private func template() throws -> PackageTemplate {
    let sources = MoMuSources(folder: root)
    return PackageTemplate(name: try PackageName("Bell", beside: sources), momu: root)
  }

  @Test("its first program plays at the stated pitch")
  func first() throws {
    let folder = Scratch()
    let run = folder.run(
      """
      cat >bell.swift <<'end'
      \(try #require(programs.first))
      end
      XDG_CACHE_HOME=$PWD momu run bell.swift --offline --seconds 1 --audio wav:a.wav
      """)
    #expect(run.text.wholeMatch(of: /a\.wav: 1\.0 s, peak -\d+ dB\n/) != nil, "\(run.text)")
    let file = try SoundBuffer(folder.file("a.wav"))
    let sound = (0..<file.frames).map { file[$0] }
    let pitch = try #require(AudioMeasures.pitch(sound, sampleRate: 48_000, within: 150...300))
    #expect(abs(pitch - 220) < 0.5)
  }

  /// The programs that are a whole file, which `momu run` plays as it is.
  private var wholeFiles: [String] { programs.filter { $0.hasPrefix("import ") } }

  @Test("each of its whole files plays, and the last is what momu new makes")
  func files() throws {
    #expect(wholeFiles.count == 3)
    for file in wholeFiles.dropFirst() {
      let folder = Scratch()
      let run = folder.run(
        """
        cat >bell.swift <<'end'
        \(file)
        end
        XDG_CACHE_HOME=$PWD momu run bell.swift --notes C4 --offline --seconds 1 --audio wav:a.wav
        """)
      #expect(run.text.wholeMatch(of: /a\.wav: 1\.0 s, peak -\d+ dB\n/) != nil, "\(run.text)")
      let sound = try SoundBuffer(folder.file("a.wav"))
      #expect((0..<sound.frames).contains { abs(sound[$0]) > 0.1 })
    }
    #expect(try template().instrument == wholeFiles.last)
  }

  @Test("its fragments are, line by line and in that order, in what momu new makes")
  func fragments() throws {
    let made = try template().files.map(\.text)
    let fragments = programs.filter { !$0.hasPrefix("import ") }
    #expect(fragments.count > 5)
    for program in fragments {
      #expect(made.contains { Self.lines(of: program, standIn: $0) }, "\(program)")
    }
  }

  @Test("it explains every line of the instrument of momu new except its range")
  func complete() throws {
    let shown = page.split(separator: "\n").map { $0.drop { $0 == " " } }
    let made = try template().instrument.split(separator: "\n").map { $0.drop { $0 == " " } }
    let missing = made.filter { line in !shown.contains(line) && !line.hasPrefix("///") }
    let rest = missing.filter { line in
      !["private var tone", "static let sheet", "name: ", "mutating func handle", "mutating func render"]
        .contains { line.hasPrefix($0) }
    }
    #expect(rest.isEmpty, "\(rest)")
  }

  private static func lines(of program: String, standIn text: String) -> Bool {
    var rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    return program.split(separator: "\n", omittingEmptySubsequences: false).dropLast().allSatisfy { line in
      guard let place = rest.firstIndex(of: line) else { return false }
      rest = rest[(place + 1)...]
      return true
    }
  }

  @Test("momu new creates the files that it names, and the instrument is as short as it says")
  func whole() throws {
    let template = try template()
    for file in template.files where file.path.hasPrefix("Sources") || file.path.hasPrefix("Tests") {
      #expect(page.contains("`\(file.path)`"))
    }
    #expect(page.contains("`\(template.main.split(separator: "\n").last ?? "")`"))
    #expect(template.instrument.split(separator: "\n", omittingEmptySubsequences: false).count <= 70)
  }

  @Test("the package of momu new imports only products that its manifest names, and they have what it calls")
  func products() throws {
    let template = try template()
    let files = template.files.filter { $0.path.hasSuffix(".swift") && $0.path != "Package.swift" }
    let made = files.flatMap {
      $0.text.split(separator: "\n").filter { $0.hasPrefix("import Mo") }.map { $0.dropFirst(7) }
    }
    #expect(made.count >= 3)
    for module in made {
      #expect(template.manifest.contains(".product(name: \"\(module)\", package: \"MoMu\")"))
    }
    // Programs of users must see a function of the module that they import, not of a module behind it.
    let folder = Scratch()
    let sources = files.filter { $0.path.hasPrefix("Sources") }
    let text = sources.map { file in
      "cat >\(file.path.split(separator: "/").last ?? "") <<'end'\n\(file.text)\nend"
    }.joined(separator: "\n")
    let run = folder.run(
      text + """

        flags=$(python3 -c 'import sys; sys.path.insert(0, "\(root)/Tests/Docs"); import blocks; \
        print(" ".join(blocks.compiler_flags(sys.argv[1])))' "$(dirname "$(command -v momu)")")
        swiftc -typecheck -swift-version 6 -enable-upcoming-feature MemberImportVisibility $flags *.swift
        """)
    #expect(run.status == 0 && run.text == "", "\(run.text)")
  }

  @Test("every momu command on the page exists")
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
