import MoCore
import MoRuntime
import Testing

@testable import MoSensing

@Suite("Sensors on the terminal's keys")
struct KeyedTests {
  private func at(_ seconds: Double) -> HostTime { HostTime(seconds: seconds) }

  private func opening<Reading: SensorReading>(
    _ kind: SensorKind<Reading>, _ run: Run, _ deliver: @escaping @Sendable (Reading) -> Void
  ) -> SensorOpenContext<Reading> {
    SensorOpenContext(
      option: kind.option, noun: kind.noun, forms: kind.forms, offlineForms: [], advice: { "" }, run: run,
      deliver: deliver, notify: { _ in })
  }

  @Test("a letter presses the key of its name for a while; typed again, it presses again")
  func buttons() throws {
    var control = KeyedButtons()
    let first = control.handleKey(.character("a"), at: at(1))
    let typed = try #require(first)
    #expect(typed.map(\.name) == ["KEY_A"] && typed[0].isPressed && typed[0].time == at(1))
    let early = control.due(at: at(1.1))
    #expect(early.isEmpty)
    let again = control.handleKey(.character("a"), at: at(1.1))
    #expect(again?.map(\.isPressed) == [false, true])
    #expect(control.nextTime == at(1.25))
    let over = control.due(at: at(1.3))
    #expect(over.map(\.isPressed) == [false] && over.first?.time == at(1.25))
    #expect(control.nextTime == nil)
    let others: [(TerminalKey, String)] = [
      (.character("Z"), "KEY_Z"), (.character("7"), "KEY_7"), (.character(" "), "KEY_SPACE"), (.up, "KEY_UP"),
      (.character(";"), "KEY_SEMICOLON"), (.character("\n"), "KEY_ENTER"),
    ]
    for (key, name) in others {
      let button = control.handleKey(key, at: at(2))?.last
      #expect(button?.name == name)
    }
    let none = control.handleKey(.character("%"), at: at(2))
    #expect(none == nil)
  }

  @Test("arrows move a finger up to the edge; space lifts it; each new finger has a new id")
  func finger() throws {
    var control = KeyedFinger()
    let first = control.handleKey(.right, at: at(1))?.first
    #expect(first?.phase == .began)
    for _ in 0..<40 { _ = control.handleKey(.right, at: at(1)) }
    let up = control.handleKey(.up, at: at(2))?.first
    let edge = try #require(up)
    #expect(edge.x == 1 && edge.y < 0.5 && edge.phase == .moved && edge.id == 1)
    let lifted = control.handleKey(.character(" "), at: at(3))?.first
    #expect(lifted?.phase == .ended)
    let second = control.handleKey(.character(" "), at: at(4))?.first
    #expect(second?.phase == .began && second?.id == 2 && second?.x == 1)
    let none = control.handleKey(.character("x"), at: at(4))
    #expect(none == nil)
  }

  @Test("arrows turn a heading all the way round")
  func heading() {
    var control = KeyedHeading()
    func turn(_ key: TerminalKey) -> Float? { control.handleKey(key, at: at(1))?.first?.magneticHeading }
    #expect(turn(.left) == 350)
    for _ in 0..<38 { _ = turn(.right) }
    #expect(turn(.right) == 20)
    #expect(turn(.up) == 0)
    #expect(turn(.down) == nil)
  }

  @Test("a simulated player plays until the first key that plays; then its button is released")
  func player() throws {
    let heard = Collected<Button>()
    let kind = SensorKind<Button>.buttons
    let run = offlineRun()
    let keys = KeyedSource(
      KeyedButtons(),
      player: { opening in
        SimulatedSource("press", start: .zero, rate: 1, deliver: opening.deliver) {
          [Button(time: $1, code: 0x130, isPressed: $0.truncatingRemainder(dividingBy: 2) == 0)]
        }
      }, opening(kind, run) { heard.add($0) })
    #expect(keys.nextTime == .zero)
    try keys.service(until: at(2.5))
    #expect(heard.all.map(\.isPressed) == [true, false, true])
    #expect(!keys.handleKey(.character("%"), at: at(2.6)))
    #expect(keys.nextTime == at(3))
    #expect(keys.handleKey(.character("a"), at: at(2.6)))
    #expect(heard.all.dropFirst(3).map(\.name) == ["BTN_SOUTH", "KEY_A"])
    #expect(heard.all.dropFirst(3).map(\.isPressed) == [false, true])
    // The player has stopped.
    try keys.service(until: at(9))
    #expect(heard.all.count == 6 && keys.nextTime == nil)
    keys.close()
    #expect(throws: SensorError.wentAway(name: "keys", reason: "the terminal was closed")) {
      try keys.service(until: at(9))
    }
  }

  @Test("a heading on the keys continues from the simulated player's")
  func takesOver() throws {
    let heard = Collected<Heading>()
    let kind = SensorKind<Heading>.compass(
      accel: AccelServer(), magnet: CalibratedMagnet(SensorServer(.magnet)))
    let keys = KeyedSource(
      KeyedHeading(),
      player: { opening in
        SimulatedSource("point", start: .zero, rate: 1, deliver: opening.deliver) {
          [Heading(time: $1, magnetic: 100, accuracy: 2)]
        }
      }, opening(kind, offlineRun()) { heard.add($0) })
    try keys.service(until: .zero)
    #expect(keys.handleKey(.right, at: at(1)))
    #expect(heard.all.map(\.magneticHeading) == [100, 110])
  }

  @Test("offline, the simulated player plays instead of the keys")
  func offline() throws {
    let server = SensorServer<Button>(.buttons)
    try server.start(source: nil, in: offlineRun())
    #expect(server.sensorInput.sourceName == "sim:steps")
    server.stop()
    let error = #expect(throws: SensorError.self) { try server.start(source: "keys", in: offlineRun()) }
    #expect(
      error?.description == "--offline cannot read \"keys\": use --buttons tape:FILE, or sim:steps")
  }
}
