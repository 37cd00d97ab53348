import MIDICore
import MoConsole
import MoCore
import MoDSP
import MoInstruments
import MoMIDI
import MoTesting
import Testing

@Suite("A controller that is given to a parameter by moving it")
struct LearnedControlsTests {
  private let folder = Scratch()
  private let handle: InstrumentHandle
  private let brightness: Int

  init() throws {
    handle = try InstrumentBus().add(Tone(seed: 1))
    brightness = try #require(handle.index(of: "brightness"))
  }

  private var path: String { folder.file("momu/controllers") }

  private var text: String { WholeFile.text(of: path) ?? "" }

  /// Moves a knob of a device through these positions, 0…127.
  private func turn(
    _ learned: LearnedControls, _ positions: Int..., number: UInt8 = 74, of device: String = "nano"
  ) {
    var player = MIDIPlayer(handle, learned: learned)
    for position in positions {
      player.handle(
        MIDIEvent(
          .control(0, MIDIUInt7(lowBitsOf: number), MIDIUInt7(clamping: position)), at: .zero, port: device))
    }
  }

  /// The parameter's value as a part of its range, in a controller's steps.
  private var steps: Float { handle.parameters[brightness].part(of: handle.value(brightness)) * 127 }

  private func set(steps: Float) {
    handle.set(brightness, to: handle.parameters[brightness].value(at: steps / 127))
  }

  @Test("moves nothing until it passes the present value, from either side")
  func pickUp() {
    let learned = LearnedControls(path: nil)
    set(steps: 64)
    learned.learn("brightness")
    turn(learned, 10)
    #expect(learned.wanted == nil && steps.rounded() == 64)
    turn(learned, 30, 50)
    #expect(steps.rounded() == 64)
    turn(learned, 70)
    #expect(steps.rounded() == 70)
    turn(learned, 20)
    #expect(steps.rounded() == 20)
    // The arrow keys change it: the knob must reach it again.
    set(steps: 100)
    turn(learned, 30, 25)
    #expect(steps.rounded() == 100)
    turn(learned, 110)
    #expect(steps.rounded() == 110)
  }

  @Test("is kept for its device and instrument, and restored at the next start without a jump")
  func restored() throws {
    let first = LearnedControls(path: path)
    first.learn("brightness")
    turn(first, 10)
    for _ in 0..<2000 where text.isEmpty { MoThread.sleep(until: SystemClock().now + .milliseconds(5)) }
    #expect(text.hasSuffix("[nano]\ntone cc74 -> brightness\n"), "\(text)")

    let second = LearnedControls(path: path)
    set(steps: 64)
    turn(second, 60, 65, of: "another")
    #expect(steps.rounded() == 64)
    turn(second, 10)
    #expect(steps.rounded() == 64)
    turn(second, 90)
    #expect(steps.rounded() == 90)
    let harp = try InstrumentBus().add(Harp(seed: 1))
    #expect(second.mark(of: harp.index(of: "brightness") ?? 0, on: harp) == nil)
  }

  @Test("leaves out the pedal, bank, data and mode controllers")
  func excluded() {
    let learned = LearnedControls(path: nil)
    learned.learn("brightness")
    for number in [0, 6, 32, 38, 64, 96, 98, 101, 120, 121, 123, 127] as [UInt8] {
      turn(learned, 100, number: number)
      #expect(learned.wanted == "brightness", "\(number)")
    }
    turn(learned, 100, number: 1)
    #expect(learned.wanted == nil)
  }

  @Test("takes the place of the parameter's controller before, and of the mapping's rule")
  func moved() throws {
    handle.mapping = try Mapping("cc74 -> loudness", parameters: handle.parameters.map(\.name))
    let learned = LearnedControls(path: nil)
    let loudness = handle.loudness
    set(steps: 64)
    learned.learn("brightness")
    turn(learned, 64, 80)
    #expect(steps.rounded() == 80 && handle.loudness == loudness)
    learned.learn("brightness")
    turn(learned, 80, 90, number: 75)
    #expect(steps.rounded() == 90)
    turn(learned, 127, number: 74)
    #expect(steps.rounded() == 90 && handle.loudness == 1)
  }

  @Test("a file edited by hand keeps its other lines; a bad line is named with its number")
  func byHand() {
    let hand = """
      # mine
      [nano]
      tone cc74 -> brightness
      tone cc200 -> brightness
      nonsense

      [other [2]]
      tone cc5 -> loudness
      """
    var file = ControllerFile(hand)
    #expect(file.problems.map(\.line) == [4, 5])
    #expect(
      file.parameters == [
        .init(device: "nano", instrument: "tone", number: 74): "brightness",
        .init(device: "other [2]", instrument: "tone", number: 5): "loudness",
      ])
    file.set(.init(device: "nano", instrument: "tone", number: 20), to: "brightness")
    file.set(.init(device: "new", instrument: "harp", number: 3), to: "damping")
    #expect(
      file.text == """
        # mine
        [nano]
        tone cc200 -> brightness
        nonsense

        tone cc20 -> brightness
        [other [2]]
        tone cc5 -> loudness
        [new]
        harp cc3 -> damping

        """)
    #expect(ControllerFile(file.text) == file)
    #expect(ControllerFile("tone cc1 -> a").problems.first?.text.contains("under no device") == true)
  }

  @Test("files with the line ends of Windows are read")
  func windows() throws {
    let file = ControllerFile("[nano]\r\ntone cc74 -> brightness\r\n")
    #expect(file.problems.isEmpty && file.parameters.count == 1)
    #expect(ControllerFile(file.text) == file)
    #expect(try Mapping("cc74 -> brightness\r\njerk -> strike\r\n").rules.count == 2)
  }

  private func shown(_ console: InstrumentConsole) -> [String] {
    ScreenBlock.rows(console.picture(at: .zero, columns: 100), 30).lines.map(\.text)
  }

  @Test("the console asks for a knob with l, cancels with l and Esc, and shows the way to turn it")
  func console() {
    let learned = LearnedControls(path: nil)
    let console = InstrumentConsole(handle, learned: learned)
    for _ in 0..<brightness { console.handleKey(.down, at: .zero) }
    for cancel in ["l", "\u{1B}"] as [Character] {
      console.handleKey(.character("l"), at: .zero)
      #expect(shown(console).contains("learn: move a knob for brightness; l or Esc cancels"))
      console.handleKey(.character(cancel), at: .zero)
      #expect(!shown(console).contains { $0.hasPrefix("learn:") })
    }
    set(steps: 64)
    console.handleKey(.character("l"), at: .zero)
    turn(learned, 10)
    #expect(shown(console).contains { $0.contains("▸ brightness") && $0.hasSuffix("cc74 ↑") })
    turn(learned, 127)
    #expect(shown(console).contains { $0.contains("▸ brightness") && $0.hasSuffix("cc74") })
    set(steps: 64)
    #expect(shown(console).contains { $0.contains("▸ brightness") && $0.hasSuffix("cc74 ↓") })
  }

  @Test("without MIDI, l says which option is missing")
  func withoutMIDI() {
    let log = LogCapture()
    InstrumentConsole(handle).handleKey(.character("l"), at: .zero)
    #expect(log.texts.contains { $0.contains("start the program with --midi") })
  }
}
