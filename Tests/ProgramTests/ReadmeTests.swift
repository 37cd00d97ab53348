import MoTesting
import Testing

@Suite("The README")
struct ReadmeTests {
  private let root = packageFolder()

  @Test("shows ShakeDrum unchanged")
  func snippet() throws {
    let readme = ProgramRun(shell: "cat '\(root)/README.md'").text
    let program = ProgramRun(shell: "cat '\(root)/Examples/ShakeDrum/main.swift'").text
    let start = try #require(program.firstRange(of: "import MoMu"))
    #expect(readme.contains("```swift\n" + program[start.lowerBound...] + "```"))
    #expect(program.split(separator: "\n").count <= 40)
  }

  @Test("has at most 120 lines")
  func length() {
    let readme = ProgramRun(shell: "cat '\(root)/README.md'").text
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
  }

  /// The numbers in a text, and how many decimal places each has.
  private func numbers(_ text: Substring) -> [(value: Double, places: Int)] {
    text.matches(of: /[0-9][0-9,]*(?:\.[0-9]+)?/).compactMap { match in
      let digits = match.output.filter { $0 != "," }
      let places = digits.split(separator: ".").dropFirst().first?.count ?? 0
      return Double(digits).map { ($0, places) }
    }
  }

  @Test("each measured figure is on the page that its row links to, or else in Benchmarks.md")
  func figures() {
    let part = ProgramRun(shell: "sed -n '/^## Measured/,/^## Choose/p' '\(root)/README.md'").text
    let rows = part.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| |") }
    #expect(rows.count >= 7)
    for row in rows {
      let page = row.firstMatch(of: /\(Docs\/([A-Za-z]+\.md)/).map { String($0.1) } ?? "Benchmarks.md"
      let known = numbers(ProgramRun(shell: "cat '\(root)/Docs/\(page)'").text[...])
      for figure in row.split(separator: "|").dropFirst().flatMap(numbers) {
        // The README rounds some figures.
        let rounding = (0..<figure.places).reduce(0.501) { half, _ in half / 10 }
        #expect(known.contains { abs($0.value - figure.value) < rounding }, "\(figure.value) in \(page)")
      }
    }
  }

  @Test("the last line that make install prints is a command that adds its folder to the path")
  func install() {
    let home = Scratch()
    let run = ProgramRun(
      shell: """
        cd '\(home.path)'; mkdir bin; printf '#!/bin/sh\\n' >bin/swift; chmod +x bin/swift; export HOME="$PWD"
        unset MAKEFLAGS MFLAGS MAKELEVEL
        PATH="$PWD/bin:$PATH" make --no-print-directory -C '\(root)' -o swift install PREFIX="$PWD/.local" >printed
        tail -n 1 printed >command; sh ./command; . ./.profile; echo "${PATH%%:*}"
        """)
    #expect(run.text == "\(home.path)/.local/bin\n")
  }

  @Test("Options.md has each option with the help text that a program prints")
  func options() {
    let page = ProgramRun(shell: "cat '\(root)/Docs/Options.md'").text
    let made = ProgramRun(
      shell: "'\(root)/Tests/Docs/options' <<'END'\n\(ProgramRun("ShakeDrum", "--help").text)\nEND"
    ).text
    #expect(!made.isEmpty)
    #expect(
      page.contains(made), "Docs/Options.md is out of date: Tests/Docs/options prints its table from --help")
  }
}
