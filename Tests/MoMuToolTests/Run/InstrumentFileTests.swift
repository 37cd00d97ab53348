import MoMu
import MoTesting
import Testing

@testable import MoMuTool

@Suite("A process of a build")
struct BuildProcessTests {
  @Test("runs again after a cancelled build, and no more after the end of the program")
  func end() {
    let folder = Scratch()
    let (file, log) = (folder.file("made"), folder.file("log"))
    let process = BuildProcess()
    process.cancel()
    #expect(process.run(["touch", file], log: log))
    process.end()
    #expect(!process.run(["touch", file + "2"], log: log))
    #expect(SystemFiles.names(in: folder.path).filter { $0.hasPrefix("made") } == ["made"])
  }
}

@Suite("Finding the instrument in a file")
struct InstrumentFileTests {
  @Test(
    "finds only types that are declared as instruments",
    arguments: [
      ("struct Bell: Instrument {}", ["Bell"]),
      ("public final class Bell : Sendable, Instrument\n{}", ["Bell"]),
      (
        "struct Ring: NoteVoice {}\nstruct Bell: Instrument {}\nstruct Gong: Instrument {}", ["Bell", "Gong"]
      ),
      ("struct Bell: MoDSP.Instrument where A == B {}", ["Bell"]),
      ("struct Glöckchen: Instrument {}\nstruct 鐘: Instrument {}", ["Glöckchen", "鐘"]),
      ("// struct Bell: Instrument {}\n/* struct /* a */ Bell: Instrument {} */ struct A {}", []),
      ("let text = \"struct Bell: Instrument {}\"", []),
      (
        "let text = \"\"\"\n struct Bell: Instrument { \"a\" }\n \"\"\"\nstruct Gong: Instrument {}", ["Gong"]
      ),
      ("let text = \"a \\\" struct Bell: Instrument {}\"", []),
      ("enum Control: Int, InstrumentControl { case a }", []),
      ("struct Bell: InstrumentLike { let a: Instrument }", []),
      ("struct Bell { } struct", []),
      ("", []),
    ])
  func instruments(text: String, types: [String]) {
    #expect(InstrumentFile.instruments(SwiftWords.words(in: text)) == types)
  }

  @Test(
    "names the callback that calls print itself, and no other call",
    arguments: [
      ("func render() { if a { print(\"a\") } }", true),
      ("func render() { }\nfunc other() { print(1) }", false),
      ("func render() { pen.print(1); let print = 2; // print(1)\n }", false),
      ("init() { print(1) }\nfunc handle() {}", false),
      ("func render(", false),
    ])
  func printing(text: String, isCalled: Bool) {
    #expect(InstrumentFile.calls("print", in: "render", SwiftWords.words(in: text)) == isCalled)
  }

  @Test("advises the import that a file lacks, and against print in a callback")
  func advice() throws {
    let folder = Scratch()
    let path = "\(folder.path)/bell.swift"
    func file(_ text: String) throws -> InstrumentFile {
      #expect(WholeFile.write(text, to: path, isPrivate: false) == nil)
      return try InstrumentFile(path)
    }
    let plain = try file("import MoInstruments\nstruct Bell: Instrument {}")
    #expect(plain.adviceOnErrors == nil && plain.advice == nil)
    let bare = try file("import Glibc\nstruct Bell: Instrument { func handle() { print(1) } }")
    #expect(
      bare.adviceOnErrors == "\(path) imports no module of MoMu: write import MoInstruments in its first line"
    )
    #expect(
      bare.advice?.hasPrefix("\(path) calls print in handle, which runs hundreds of times a second") == true)
  }
}
