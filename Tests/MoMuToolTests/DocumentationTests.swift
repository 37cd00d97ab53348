import MoConsole
import MoRuntime
import MoTesting
import Testing

@testable import MoMuTool

@Suite("Docs/Tool.md")
struct DocumentationTests {
  /// The page of the tool, and the page of the options that all programs share.
  private let page = ["Tool", "Options"].map { SystemReader().text("\(packageFolder())/Docs/\($0).md") ?? "" }
    .joined()

  @Test("documents every command with all its options")
  func verbs() {
    let ofOSC = OSCCommand.configuration.subcommands
    let ofTape = TapeCommand.configuration.subcommands
    for command in ofOSC + ofTape + [
      CalibrateCommand.self, DevicesCommand.self, DoctorCommand.self, InstrumentsCommand.self,
      NewCommand.self,
      PlayCommand.self, RigCommand.self, RunCommand.self, ScopeCommand.self,
    ] {
      let name = command.configuration.commandName ?? ""
      let group =
        ofOSC.contains { $0 == command } ? "osc " : ofTape.contains { $0 == command } ? "tape " : ""
      #expect(page.contains("momu \(group)\(name)"))
      let help = command.helpMessage()
      let words = help.split(whereSeparator: { " ,[]\n".contains($0) })
      let options = words.filter { $0.hasPrefix("--") }.map { $0.prefix { $0 == "-" || $0.isLetter } }
      for option in Set(options) where option != "--help" {
        #expect(page.contains("\(option)"), "\(name) \(option)")
      }
    }
  }

  @Test("documents every command of momu session with all its options")
  func session() {
    for command in SessionCommand.configuration.subcommands {
      let name = command.configuration.commandName ?? ""
      // `join` is the default command of momu session.
      if name != "join" { #expect(page.contains("momu session \(name)"), "\(name)") }
      let words = command.helpMessage().split(whereSeparator: { " ,[]\n".contains($0) })
      let options = words.filter { $0.hasPrefix("--") }.map { $0.prefix { $0 == "-" || $0.isLetter } }
      for option in Set(options) where option != "--help" {
        #expect(page.contains("\(option)"), "\(name) \(option)")
      }
    }
  }

  @Test("Docs/MIDI.md documents every command of momu midi and its options")
  func midi() {
    let page = SystemReader().text("\(packageFolder())/Docs/MIDI.md") ?? ""
    for command in MIDICommand.configuration.subcommands {
      let name = command.configuration.commandName ?? ""
      #expect(page.contains("momu midi \(name)"), "\(name)")
      let words = command.helpMessage().split(whereSeparator: { " ,[]\n".contains($0) })
      let options = words.filter { $0.hasPrefix("--") }.map { $0.prefix { $0 == "-" || $0.isLetter } }
      for option in Set(options) where option != "--help" {
        #expect(page.contains("\(option)"), "\(name) \(option)")
      }
    }
  }

  @Test("documents each single key of momu play in a table")
  func keys() {
    let firstCells = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.dropFirst(2).prefix { $0 != "|" } }
    for key in InstrumentPicture.helpWithMIDI.items.map(\.key) where key.count == 1 {
      #expect(firstCells.contains { $0.contains("`\(key)`") }, "\(key)")
    }
  }

  @Test("documents every topic of the doctor")
  func topics() {
    for name in ["guest-wifi", "vpn", "virtualbox", "studio"] {
      guard let machine = try? RecordedMachine(name) else {
        Issue.record("\(name) is not recorded")
        continue
      }
      for finding in machine.findings() + deviceFindings(machine.inventory()) {
        #expect(page.contains("\n| \(finding.topic) | "), "\(finding.topic)")
      }
    }
    for finding in rigFindings(RigSituation(problem: "it cannot be read")) {
      #expect(page.contains("\n| \(finding.topic) | "), "\(finding.topic)")
    }
  }
}
