import MoAudioDevices
import MoAudioEngine
import MoCore
import MoTesting
import Synchronization
import Testing

@Suite("Supervisor of the cards")
struct AudioSupervisorTests {
  func start(
    _ target: AudioTarget, playing: String?, _ cards: [String: String], isBlockFixed: Bool = false,
    inputs: Int = 0, problem: AudioError? = nil
  ) throws -> (
    engine: AudioEngine, card: FakeCard, opener: FakeOpener, supervisor: AudioSupervisor, recorder: Recorder
  ) {
    let clock = ManualClock()
    let opener = FakeOpener(clock: clock)
    opener.cards = cards
    let card = FakeCard(playing ?? "virtual", inputs: inputs, clock: clock)
    let engine = engine(card, clock) { _ in }
    let recorder = Recorder()
    let supervisor = AudioSupervisor(
      target: target, playing: playing, engine: engine,
      request: DeviceRequest(format: card.format, isBlockFixed: isBlockFixed), problem: problem,
      opener: opener, clock: clock,
      notify: { event in recorder.events.withLock { $0.append(event) } },
      warn: { text in recorder.warnings.withLock { $0.append(text) } })
    try engine.start()
    return (engine, card, opener, supervisor, recorder)
  }

  final class Recorder: Sendable {
    let events = Mutex<[AudioEvent]>([])
    let warnings = Mutex<[String]>([])
    var all: [AudioEvent] { events.withLock { $0 } }
  }

  @Test("reports and closes an unplugged card, and plays on it when it is back")
  func unplugged() throws {
    let (engine, card, opener, supervisor, recorder) = try start(
      .alsa("hw:1"), playing: "hw:1", ["hw:1": "USB"])
    card.mishaps = [2: .lost]
    opener.cards = [:]
    for _ in 0..<4 { engine.cycle() }
    supervisor.service(cardsChanged: true)
    #expect(recorder.all == [.deviceLost(name: "hw:1")])
    #expect(!card.isOpen)
    #expect(supervisor.isWaitingForCard)
    opener.cards = ["hw:1": "USB"]
    supervisor.service(cardsChanged: true)
    engine.cycle()
    supervisor.service(cardsChanged: false)
    #expect(recorder.all == [.deviceLost(name: "hw:1"), .deviceBack(name: "hw:1")])
    #expect(!supervisor.isWaitingForCard)
    #expect(opener.opened.count == 1)
    #expect(opener.opened[0].starts == 1)
  }

  @Test("reports an unplugged card after a thousand xruns that it has not yet handled")
  func lostAfterXruns() throws {
    let (engine, card, opener, supervisor, recorder) = try start(
      .alsa("hw:1"), playing: "hw:1", ["hw:1": "USB"])
    for cycle in 1...1000 { card.mishaps[cycle] = .recovered(lostFrames: 64) }
    card.mishaps[1001] = .lost
    opener.cards = [:]
    for _ in 0...1001 { engine.cycle() }
    supervisor.service(cardsChanged: true)
    #expect(recorder.all.last == .deviceLost(name: "hw:1") && supervisor.isWaitingForCard)
    #expect(engine.statistics.xruns.load(ordering: .relaxed) == 1000)
  }

  @Test("pauses longer each time before it opens a card that fails again", arguments: [false, true])
  func failsAgain(refuses: Bool) throws {
    let (engine, card, opener, supervisor, recorder) = try start(
      .alsa("hw:1"), playing: "hw:1", ["hw:1": "USB"])
    card.mishaps = [1: .lost]
    opener.damage = { card in
      card.mishaps = [1: .lost]
      card.refusesToStart = refuses
    }
    func pass() {
      for _ in 0..<2 { engine.cycle() }
      supervisor.service(cardsChanged: false)
    }
    // 0.2 s of silence on the virtual device.
    for _ in 0..<20 { pass() }
    #expect(opener.opened.isEmpty && recorder.all == [.deviceLost(name: "hw:1")])
    for (attempt, pause) in [2, 4, 8, 16, 32, 60, 60].enumerated() {
      opener.clock.advance(by: .seconds(pause - 1))
      for _ in 0..<20 { pass() }
      #expect(opener.opened.count == attempt)
      opener.clock.advance(by: .seconds(1))
      for _ in 0..<20 { pass() }
      #expect(opener.opened.count == attempt + 1)
    }
    supervisor.service(cardsChanged: true)
    #expect(opener.opened.count == 8, "another card may be the reason why this card works again")
    let warnings = recorder.warnings.withLock { $0 }
    #expect(warnings.count == (refuses ? 1 : 0))
    #expect(warnings.allSatisfy { $0.hasPrefix("hw:1 can be opened, but does not start: ") })
  }

  @Test("reports the loss of the sound if a new default card does not start")
  func newDefaultRefuses() throws {
    let (engine, _, opener, supervisor, recorder) = try start(
      .automatic, playing: "default", ["default": "Onboard"])
    opener.cards["default"] = "Headset"
    opener.damage = { $0.refusesToStart = true }
    supervisor.service(cardsChanged: true)
    engine.cycle()
    supervisor.service(cardsChanged: false)
    #expect(recorder.all == [.deviceLost(name: "default")])
  }

  @Test("opens a card that has played for ten seconds again immediately")
  func playedLong() throws {
    let (engine, card, opener, supervisor, _) = try start(.alsa("hw:1"), playing: "hw:1", ["hw:1": "USB"])
    card.mishaps = [2: .lost]
    engine.cycle()
    opener.clock.advance(by: .seconds(10))
    engine.cycle()
    supervisor.service(cardsChanged: false)
    #expect(opener.opened.count == 1)
  }

  @Test("warns once of a card that returns at another rate, and does not use it")
  func otherRate() throws {
    let (engine, card, opener, supervisor, recorder) = try start(
      .alsa("hw:1"), playing: "hw:1", ["hw:1": "USB"])
    card.mishaps = [1: .lost]
    opener.rate = 44_100
    engine.cycle()
    for _ in 0..<4 {
      supervisor.service(cardsChanged: true)
      engine.cycle()
    }
    #expect(recorder.all == [.deviceLost(name: "hw:1")])
    #expect(opener.opened.count == 4 && opener.opened.allSatisfy { !$0.isOpen && $0.starts == 0 })
    #expect(
      recorder.warnings.withLock { $0 } == [
        "cannot play on hw:1: it has 44100 Hz, 2 outputs, 0 inputs, but the program plays with 48000 Hz, "
          + "2 outputs, 0 inputs; start the program again"
      ])
  }

  @Test("warns once why a returned device cannot be opened, if two attempts fail for this reason")
  func obstacles() throws {
    let (engine, card, opener, supervisor, recorder) = try start(
      .alsa("jack"), playing: "jack", ["jack": "server"])
    card.mishaps = [1: .lost]
    engine.cycle()
    let rate = AudioError.serverRate(name: "jack", rate: 44_100, wanted: 48_000)
    let access = AudioError.noAccess(name: "jack")
    let absent = AudioError.noJACKServer(name: "jack")
    for error in [absent, absent, access, rate, rate, access, rate, rate, absent, absent] {
      opener.error = error
      supervisor.service(cardsChanged: true)
    }
    #expect(recorder.warnings.withLock { $0 } == [rate.description])
    opener.error = nil
    supervisor.service(cardsChanged: true)
    engine.cycle()
    supervisor.service(cardsChanged: false)
    #expect(recorder.all == [.deviceLost(name: "jack"), .deviceBack(name: "jack")])
  }

  @Test(
    "asks a card that is back for the program's rate, and for the user's block length",
    arguments: [true, false])
  func sameRequest(isBlockFixed: Bool) throws {
    let (engine, card, opener, supervisor, _) = try start(
      .alsa("jack"), playing: "jack", ["jack": "server"], isBlockFixed: isBlockFixed)
    card.mishaps = [1: .lost]
    engine.cycle()
    supervisor.service(cardsChanged: true)
    #expect(
      opener.wanted
        == DeviceRequest(
          format: card.format, isRateFixed: true, isBlockFixed: isBlockFixed, needsInput: true))
  }

  @Test("requires the input of a card for ten seconds after a loss or a change of the cards")
  func needsInput() throws {
    let (engine, card, opener, supervisor, _) = try start(
      .alsa("hw:1"), playing: "hw:1", ["hw:1": "USB"], inputs: 1)
    opener.error = .busy(name: "hw:1", holder: nil)
    func needsInput(after seconds: Int, cardsChanged: Bool = false) -> Bool? {
      opener.clock.advance(by: .seconds(seconds))
      supervisor.service(cardsChanged: cardsChanged)
      return opener.wanted?.needsInput
    }
    engine.cycle()
    opener.clock.advance(by: .seconds(10))
    card.mishaps = [2: .lost]
    engine.cycle()
    #expect([0, 9, 1].map { needsInput(after: $0) } == [true, true, false])
    #expect(needsInput(after: 100, cardsChanged: true) == true)
    #expect(needsInput(after: 10) == false)
  }

  @Test("warns once that the input fails again and again, also if it works in between")
  func inputFails() throws {
    let (engine, card, _, supervisor, recorder) = try start(
      .alsa("hw:0+hw:1"), playing: "hw:0+hw:1", [:], inputs: 1)
    for isFailing in [false, true, true, false, true, true] {
      card.inputClock = InputClockReport()
      card.inputClock?.isFailing = isFailing
      engine.cycle()
      supervisor.service(cardsChanged: false)
    }
    #expect(recorder.all.isEmpty)
    #expect(
      recorder.warnings.withLock { $0 } == [
        "the input of hw:0+hw:1 fails again after each restart, so it is silent until it works: check its cable, "
          + "or choose another input (--audio OUTPUT+INPUT)"
      ])
  }

  @Test("plays on the first card that appears")
  func appears() throws {
    let (engine, _, opener, supervisor, recorder) = try start(.automatic, playing: nil, [:])
    supervisor.service(cardsChanged: false)
    #expect(opener.opened.isEmpty)
    opener.cards = ["default": "USB"]
    supervisor.service(cardsChanged: true)
    engine.cycle()
    supervisor.service(cardsChanged: false)
    #expect(recorder.all == [.deviceBack(name: "default")])
  }

  @Test("does not repeat the error of the start, but warns of another error, and of the same error later")
  func knownProblem() throws {
    let access = AudioError.noAccess(name: "default")
    let silent = AudioError.noAnswer(name: "default")
    let (engine, _, opener, supervisor, recorder) = try start(
      .automatic, playing: nil, ["default": "USB"], problem: access)
    func service(_ error: AudioError?) {
      opener.error = error
      supervisor.service(cardsChanged: true)
      engine.cycle()
    }
    for _ in 0..<3 { service(access) }
    #expect(recorder.warnings.withLock { $0 }.isEmpty)
    for _ in 0..<3 { service(silent) }
    #expect(recorder.warnings.withLock { $0 } == [silent.description])
    service(nil)
    supervisor.service(cardsChanged: false)
    #expect(recorder.all == [.deviceBack(name: "default")])
    opener.opened[0].mishaps = [2: .lost]
    engine.cycle()
    for _ in 0..<3 { service(access) }
    #expect(recorder.warnings.withLock { $0 } == [silent.description, access.description])
  }
}
