import MoCore
import MoDSP
import MoRuntime
import Testing

@testable import MoConsole
@testable import MoInstruments

@Suite("Piano: the terminal's keys")
struct PianoDeskTests {
  @Test("the range moves by octaves, is 1 to 5 octaves wide, and stays on the keyboard")
  func range() {
    var range = PianoRange()
    #expect(range.notes == 48...72)
    range.move(by: 1)
    #expect(range.notes == 60...84)
    range.widen(by: 9)
    #expect(range.octaves == 5 && range.notes == 48...108)
    range.move(by: 9)
    #expect(range.notes == 48...108)
    range.widen(by: -9)
    #expect(range.octaves == 1 && range.notes == 48...60)
    range.move(by: -9)
    #expect(range.notes == 24...36)
  }

  @Test("the two rows play the range's ends: letters for white keys, the row above for black keys")
  func rows() {
    var range = PianoRange()
    #expect("zsxdcvgbhnjm,".map { range.note($0) } == Array(48...60))
    #expect("q2w3er5t6y7ui".map { range.note($0) } == Array(60...72))
    range.widen(by: 2)
    #expect(range.note("q") == 48 + 36)
    #expect(range.note("1") == nil && range.note("A") == nil)
    for note in range.notes { if let key = range.key(note) { #expect(range.note(key) == note) } }
  }

  @Test("arrows, letters, Shift and the pedal key have their actions, and other keys none")
  func keys() {
    let typed: [TerminalKey] = "zZ@ 1~!".map { .character($0) } + [.up, .down, .right, .left]
    #expect(
      typed.compactMap { PianoKey($0) } == [
        .letter("z", isLoud: false), .letter("z", isLoud: true), .letter("2", isLoud: true), .pedal, .silence,
        .widen(1), .widen(-1), .move(1), .move(-1),
      ])
  }

  @Test(
    "the drawing fits 80 columns and 24 lines at every width, and shows each sounding key",
    arguments: 1...5)
  func picture(octaves: Int) {
    var range = PianoRange()
    range.widen(by: octaves - 2)
    let (still, playing) = (
      PianoPicture.lines(range, sounding: [], columns: 79),
      PianoPicture.lines(range, sounding: [range.first, range.first + 1], columns: 79)
    )
    // Two more lines below it, and the meter's.
    #expect(still.count + 3 <= 12)
    #expect(still.allSatisfy { $0.count <= 79 } && Set(still.dropFirst().map(\.count)).count == 1)
    #expect(!still.joined().contains("▒") && playing.joined().contains("▒"))
    #expect(still[0].contains("[█") && still[0].contains("]"))
  }

  @Test(
    "in 40 columns and few rows, the keys' letters stay visible, then the range; no row is blank",
    arguments: 1...5)
  func narrow(octaves: Int) {
    var range = PianoRange()
    range.widen(by: octaves - 2)
    let lines = PianoPicture.lines(range, sounding: [], columns: 39)
    #expect(lines.allSatisfy { $0.count <= 39 })
    let two = PianoPicture.fit(lines, rows: 2)
    #expect(
      two.count == 2 && two[0].contains(octaves < 4 ? "2" : "s") && two[1].contains(octaves < 4 ? "q" : "z"),
      "\(two)")
    let three = PianoPicture.fit(lines, rows: 3)
    #expect(three == [" C\(range.first / 12 - 1) … \(octaves) oct."] + two, "\(three)")
    #expect(!lines.dropFirst(4).contains { $0.allSatisfy { "│ ".contains($0) } }, "\(lines)")
    #expect(PianoPicture.fit(lines, rows: 9) == lines)
  }

  @Test("names the pedal's states as the drawing of the instrument does")
  func pedal() throws {
    let handle = try Instruments.named("piano").add(to: InstrumentBus())
    let console = PianoConsole(handle)
    let index = try #require(handle.index(of: "pedal"))
    for value in ["off", "on", "off"] {
      let lines = ScreenBlock.rows(console.picture(at: .zero, columns: 79), 20).lines.map(\.text)
      #expect(lines.contains("pedal \(value)"), "\(lines)")
      #expect(ParameterText.value(value == "on" ? 1 : 0, of: handle.parameters[index]) == value)
      console.handleKey(.character(" "), at: .zero)
    }
  }

  @Test("draws two octaves")
  func drawing() {
    let lines = PianoPicture.lines(PianoRange(), sounding: [60], columns: 79)
    #expect(
      lines == [
        " ··┆······┆······[███████████████]······┆······┆······┆  C3 … 2 oct.",
        "│   ███  ███   │   ███  ███  ███   │▒▒▒███  ███   │   ███  ███  ███   │    │",
        "│   ███  ███   │   ███  ███  ███   │▒▒▒███  ███   │   ███  ███  ███   │    │",
        "│   █s█  █d█   │   █g█  █h█  █j█   │▒▒▒█2█  █3█   │   █5█  █6█  █7█   │    │",
        "│ z  │ x  │ c  │ v  │ b  │ n  │ m  │▒q▒▒│ w  │ e  │ r  │ t  │ y  │ u  │ i  │",
        "│C3  │    │    │    │    │    │    │C4▒▒│    │    │    │    │    │    │C5  │",
        "└────┴────┴────┴────┴────┴────┴────┴────┴────┴────┴────┴────┴────┴────┴────┘",
      ])
  }

  @Test("plays four chords of eight notes by itself, four notes per second")
  func tune() {
    var tune = PianoTune(start: .zero)
    var (notes, times): ([Int], [Double]) = ([], [])
    for _ in 0..<33 {
      times.append(tune.next.seconds(since: .zero))
      notes.append(tune.nextNote())
    }
    #expect(notes[0...7] == [48, 60, 64, 67, 72, 67, 64, 60])
    #expect(notes[32] == notes[0])
    #expect(times[0] == 0.25 && times[32] == 8.25)
  }
}
