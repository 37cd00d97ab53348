import MoInstruments
import MoOrchestra
import MoTime
import Testing

@testable import MoEnsemble

@Suite("What is played here, for others")
struct PartTellerTests {
  private static let silence = BeatClock(clock: SlewedClock(), timeline: nil)

  /// What the room is told of events, in the order in which it is: each with the beat that it was answered with.
  private func told(
    _ events: [(HostTime, InstrumentEvent)], isFromRoom: Bool, _ clock: BeatClock = PartTellerTests.silence,
    at now: Double = 99,
    answer: Double? = nil
  ) -> [String] {
    var teller = PartTeller(part: "piano")
    var said: [String] = []
    for (time, event) in events {
      teller.take(PlayedHere(event: event, time: time, isFromRoom: isFromRoom))
    }
    teller.tell(until: HostTime(seconds: now), clock, grid: .eighth) { play, aim, moment in
      said.append(Self.text(play, aim, moment))
      return answer
    }
    return said
  }

  private static func text(_ play: SessionPlay, _ aim: SessionAim, _ moment: SessionMoment) -> String {
    let what =
      switch play {
      case .note(let note): "\(note.velocity > 0 ? "on" : "off") \(note.pitch) \(note.instrument)"
      case .hit(let hit): "hit \(hit.force) \(hit.instrument)"
      default: "?"
      }
    let whom = if case .crowd(.everyone) = aim { "all" } else { "others" }
    let when =
      switch moment {
      case .now: "now"
      case .next(let grid): "next \(grid)"
      case .beat(let beat): "beat \(beat)"
      }
    return "\(what), \(whom), \(when)"
  }

  private func seconds(_ seconds: Double) -> HostTime { HostTime(seconds: seconds) }

  @Test("with no rhythm, at once, and to the others only: here it has sounded already")
  func free() {
    let said = told(
      [
        (seconds(1), .noteOn(Note(60))), (seconds(2), .strike(0.5)), (seconds(3), .noteOff(Note(60))),
        (seconds(4), .noteOff(Note(61))),
      ], isFromRoom: false)
    #expect(
      said == ["on 60.0 piano, others, now", "hit 0.5 piano, others, now", "off 60.0 piano, others, now"])
  }

  @Test("with one, on the next line for everybody, and as long after its beat as it was held")
  func grid() {
    let clock = BeatClock.steady(tempo: 120, from: .zero)
    let said = told(
      [(seconds(1), .noteOn(Note(60))), (seconds(1.75), .noteOff(Note(60)))], isFromRoom: true, clock,
      answer: 2.5)
    #expect(said == ["on 60.0 piano, all, next note(8)", "off 60.0 piano, all, beat 4.0"])
  }

  @Test("what is meant for a moment to come is told then, in order of the moments")
  func ahead() {
    let events: [(HostTime, InstrumentEvent)] = [
      (seconds(5), .noteOff(Note(60))), (seconds(1), .noteOn(Note(60))), (seconds(2), .strike(1)),
    ]
    #expect(told(events, isFromRoom: false, at: 1.5) == ["on 60.0 piano, others, now"])
    #expect(told(events, isFromRoom: false).last == "off 60.0 piano, others, now")
  }

  @Test("a key that is struck again is let go once, with its last stroke; silence lets go of all")
  func again() {
    let (first, second) = (Note(60, id: 1), Note(60, id: 2))
    let said = told(
      [
        (seconds(1), .noteOn(first)), (seconds(2), .noteOn(second)), (seconds(3), .noteOff(first)),
        (seconds(4), .noteOff(second)), (seconds(5), .noteOn(Note(62))), (seconds(6), .noteOn(Note(64))),
        (seconds(7), .allOff), (seconds(8), .noteOff(Note(62))),
      ], isFromRoom: false)
    let words = said.map { $0.prefix { $0 != "," } }
    #expect(
      words == [
        "on 60.0 piano", "on 60.0 piano", "off 60.0 piano", "on 62.0 piano", "on 64.0 piano",
        "off 62.0 piano",
        "off 64.0 piano",
      ])
  }

  @Test("no more are held than can be let go again, and each that was told is")
  func bounds() {
    var teller = PartTeller(part: "piano")
    var (on, off) = (0, 0)
    func say(_ play: SessionPlay, _ aim: SessionAim, _ moment: SessionMoment) -> Double? {
      guard case .note(let note) = play else { return nil }
      if note.velocity > 0 { on += 1 } else { off += 1 }
      return nil
    }
    for batch in 0..<2 {
      for index in 0..<100 {
        let note = Note(Float(index) + Float(batch) / 2, id: Int32(1000 * batch + index))
        teller.take(PlayedHere(event: .noteOn(note), time: seconds(1), isFromRoom: false))
      }
      teller.tell(until: seconds(9), Self.silence, grid: .sixteenth, say)
    }
    #expect(on == PartTeller.most && off == 0)
    teller.release(say)
    #expect(off == on)
  }

  @Test("keys wait for the room while its rhythm runs, unless the grid has no strength; movement never does")
  func relay() {
    let grid = LatestValue<Quantiser?>(nil)
    let beat = Guarded(Self.silence)
    let clock = ManualClock()
    let relay = PartRelay(grid: grid, clock: clock) { beat.withLock { $0 } }
    let note = InstrumentEvent.noteOn(Note(60))
    #expect(!relay.take(note, at: .distantPast))
    #expect(relay.next() == nil)
    #expect(relay.open() && !relay.open())
    #expect(!relay.take(note, at: .distantPast))
    #expect(relay.next()?.isFromRoom == false)
    beat.withLock { $0 = .steady(tempo: 120, from: .zero) }
    #expect(relay.take(note, at: .distantPast) && relay.take(.strike(1), at: .distantPast))
    #expect(relay.next()?.isFromRoom == true && relay.next()?.isFromRoom == true)
    #expect(!relay.take(.noteOff(Note(60)), at: .distantPast) && !relay.isEmpty)
    #expect(!relay.take(.bend(1), at: .distantPast) && !relay.take(.motion(.still), at: .distantPast))
    #expect(relay.line == .sixteenth)
    grid.store(Quantiser(stepsPerBeat: 2))
    #expect(relay.line == .eighth)
    grid.store(Quantiser(strength: 0))
    #expect(!relay.take(note, at: .distantPast))
    // Nobody reads: what finds no room sounds here, at least.
    grid.store(nil)
    var taken = 0
    while taken < 1000, relay.take(note, at: .distantPast) { taken += 1 }
    #expect(taken < 1000)
    #expect(!relay.take(note, at: .distantPast))
  }
}
