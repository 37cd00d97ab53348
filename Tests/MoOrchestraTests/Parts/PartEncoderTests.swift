import MoCore
import MoInstruments
import MoOrchestra
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Encoding played events for the room")
struct PartTellerTests {
  private static let silence = BeatClock(clock: SlewedClock(), timeline: nil)

  /// Returns the sent events in order, each with the beat that was returned for it.
  private func told(
    _ events: [(HostTime, InstrumentEvent)], _ clock: BeatClock = PartTellerTests.silence,
    at now: Double = 99, grid: Quantiser? = Quantiser(stepsPerBeat: 2), answer: Double? = nil
  ) -> [String] {
    var encoder = PartEncoder(part: "piano")
    var said: [String] = []
    for (time, event) in events {
      encoder.add(LocalEvent(event: event, time: time))
    }
    encoder.sendDue(until: HostTime(seconds: now), clock, grid: grid) { play, aim, moment in
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
    let whom = if case .crowd(.others) = aim { "others" } else { "all" }
    let when =
      switch moment {
      case .now: "now"
      case .next(let grid): "next \(grid)"
      case .beat(let beat): "beat \(beat)"
      case .soonest(let beat): "from beat \(beat)"
      }
    return "\(what), \(whom), \(when)"
  }

  private func seconds(_ seconds: Double) -> HostTime { HostTime(seconds: seconds) }

  @Test("without a rhythm, sends immediately and only to the others, since it has sounded here")
  func free() {
    let said = told(
      [
        (seconds(1), .noteOn(Note(60))), (seconds(2), .strike(0.5)), (seconds(3), .noteOff(Note(60))),
        (seconds(4), .noteOff(Note(61))),
      ])
    #expect(
      said == ["on 60.0 piano, others, now", "hit 0.5 piano, others, now", "off 60.0 piano, others, now"])
  }

  @Test("in a rhythm, sends a stroke at its nearest line, and keeps its length")
  func grid() {
    let clock = BeatClock.steady(tempo: 120, from: .zero)
    // Beats 2.1 and 2.4: the eighths at 2 and at 2.5 are the nearest.
    let said = told(
      [
        (seconds(1.05), .strike(0.5)), (seconds(1.2), .noteOn(Note(60))), (seconds(1.95), .noteOff(Note(60))),
      ], clock, answer: 2.5)
    #expect(
      said == [
        "hit 0.5 piano, others, from beat 2.0", "on 60.0 piano, others, from beat 2.5",
        "off 60.0 piano, others, beat 4.0",
      ])
  }

  @Test("in a rhythm, sends immediately if the instrument has no grid, or a grid of strength 0")
  func freely() {
    let clock = BeatClock.steady(tempo: 120, from: .zero)
    for grid in [nil, Quantiser(strength: 0)] {
      #expect(told([(seconds(1.2), .strike(0.5))], clock, grid: grid) == ["hit 0.5 piano, others, now"])
    }
  }

  @Test("sends future events at their times, in order")
  func ahead() {
    let events: [(HostTime, InstrumentEvent)] = [
      (seconds(5), .noteOff(Note(60))), (seconds(1), .noteOn(Note(60))), (seconds(2), .strike(1)),
    ]
    #expect(told(events, at: 1.5) == ["on 60.0 piano, others, now"])
    #expect(told(events).last == "off 60.0 piano, others, now")
  }

  @Test("in a rhythm, sends a future event ahead of its time, for its exact beat")
  func score() {
    let clock = BeatClock.steady(tempo: 120, from: .zero)
    var encoder = PartEncoder(part: "piano")
    var said: [String] = []
    func sendDue(at now: Double) {
      encoder.sendDue(until: HostTime(seconds: now), clock, grid: Quantiser()) { play, aim, moment in
        said.append(Self.text(play, aim, moment))
        return 2.125
      }
    }
    encoder.add(LocalEvent(event: .noteOn(Note(60)), time: seconds(1.0625), isHeard: true))
    encoder.add(LocalEvent(event: .noteOff(Note(60)), time: seconds(1.5), isHeard: true))
    sendDue(at: 0.5)
    #expect(said.isEmpty)
    #expect(encoder.next == seconds(1.0625 - 0.47))
    sendDue(at: 0.6)
    #expect(said == ["on 60.0 piano, others, from beat 2.125"])
    sendDue(at: 1.3)
    #expect(said.last == "off 60.0 piano, others, beat 3.0")
    #expect(encoder.next == nil)
  }

  @Test("sends a future note so early that 16 members on a slow network can play it at its beat")
  func slowNetwork() throws {
    var network = SimulatedNetwork.badWiFi
    // A full queue in the access point.
    network.floor = 0.3
    var orchestra = VirtualOrchestra.room(16, on: network)
    try orchestra.start(0)
    orchestra.pass(10)
    // Enough messages that the members use multicast, and know its delay.
    for _ in 0..<40 {
      _ = try orchestra.act(1) { core, now throws(SessionRefusal) in
        try core.play(.note(SessionNote(pitch: 60)), to: .crowd(.others), now: now)
      }
      orchestra.pass(0.25)
    }
    var encoder = PartEncoder(part: "piano")
    let clock = orchestra.core(1).beatClock
    let beat = (try #require(clock.beat(at: orchestra.host(1)))).rounded(.up) + 4
    let time = try #require(clock.time(ofBeat: beat, from: orchestra.host(1)))
    encoder.add(LocalEvent(event: .noteOn(Note(60)), time: time, isHeard: true))
    var played: Double?
    while played == nil, orchestra.host(1) < time {
      orchestra.pass(0.01)
      let core = orchestra.core(1)
      encoder.sendDue(until: orchestra.host(1), core.beatClock, grid: nil, soundLead: 0) {
        play, aim, moment in
        played = orchestra.act(1) { core, now in try? core.play(play, to: aim, at: moment, now: now) } ?? nil
        return played
      }
    }
    #expect(abs(try #require(played) - beat) < 0.002)
  }

  @Test("releases a repeated key once, with its last stroke; silence releases all keys")
  func again() {
    let (first, second) = (Note(60, id: 1), Note(60, id: 2))
    let said = told(
      [
        (seconds(1), .noteOn(first)), (seconds(2), .noteOn(second)), (seconds(3), .noteOff(first)),
        (seconds(4), .noteOff(second)), (seconds(5), .noteOn(Note(62))), (seconds(6), .noteOn(Note(64))),
        (seconds(7), .allOff), (seconds(8), .noteOff(Note(62))),
      ])
    let words = said.map { $0.prefix { $0 != "," } }
    #expect(
      words == [
        "on 60.0 piano", "on 60.0 piano", "off 60.0 piano", "on 62.0 piano", "on 64.0 piano",
        "off 62.0 piano",
        "off 64.0 piano",
      ])
  }

  @Test("in a rhythm, a repeated key sounds for the whole length of its last stroke at the other members")
  func againInRhythm() throws {
    let clock = BeatClock.steady(tempo: 120, from: .zero)
    var encoder = PartEncoder(part: "probe")
    var said: [(play: SessionPlay, beat: Double)] = []
    func sendDue(at now: Double) {
      encoder.sendDue(until: seconds(now), clock, grid: Quantiser()) { play, _, moment in
        guard let beat = moment.beat else { return nil }
        said.append((play, beat))
        return beat
      }
    }
    for (id, begin) in [(Int32(1), 1.0), (2, 1.25)] {
      encoder.add(LocalEvent(event: .noteOn(Note(60, id: id)), time: seconds(begin)))
      encoder.add(LocalEvent(event: .noteOff(Note(60, id: id)), time: seconds(begin + 0.4)))
      sendDue(at: begin)
    }
    while let next = encoder.next { sendDue(at: next.seconds(since: .zero)) }
    var harness = try Harness()
    _ = harness.pass(0.1)
    for (play, beat) in said.sorted(by: { $0.beat < $1.beat }) {
      harness.player.play(harness.heard(play, beat: beat))
    }
    // At 1.25 s the second stroke ends the first.
    #expect(harness.pass(1.9) == [48_000: 60, 79_200: -60])
  }

  @Test("holds only as many notes as it can release, and releases each of them")
  func bounds() {
    var encoder = PartEncoder(part: "piano")
    var (on, off) = (0, 0)
    func send(_ play: SessionPlay, _ aim: SessionAim, _ moment: SessionMoment) -> Double? {
      guard case .note(let note) = play else { return nil }
      if note.velocity > 0 { on += 1 } else { off += 1 }
      return nil
    }
    for batch in 0..<2 {
      for index in 0..<100 {
        let note = Note(Float(index) + Float(batch) / 2, id: Int32(1000 * batch + index))
        encoder.add(LocalEvent(event: .noteOn(note), time: seconds(1)))
      }
      encoder.sendDue(until: seconds(9), Self.silence, grid: nil, send)
    }
    #expect(on == PartEncoder.most && off == 0)
    encoder.release(at: seconds(9), Self.silence, send)
    #expect(off == on)
  }

  @Test("an open tap collects notes and strokes with their times, but not movement")
  func tap() {
    let clock = ManualClock()
    let tap = LocalPartTap(clock: clock) {}
    let note = InstrumentEvent.noteOn(Note(60))
    tap.add(note, at: .distantPast, heardAt: nil)
    #expect(tap.isEmpty)
    #expect(tap.open() && !tap.open())
    clock.advance(to: seconds(2))
    tap.add(note, at: .distantPast, heardAt: nil)
    tap.add(.strike(1), at: .distantPast, heardAt: seconds(1.5))
    tap.add(.noteOff(Note(60)), at: seconds(3), heardAt: nil)
    tap.add(.bend(1), at: .distantPast, heardAt: nil)
    tap.add(.motion(.still), at: .distantPast, heardAt: nil)
    var times: [HostTime] = []
    while let played = tap.next() { times.append(played.time) }
    #expect(times.sorted() == [seconds(1.5), seconds(2), seconds(3)])
    for _ in 0..<1000 { tap.add(note, at: .distantPast, heardAt: nil) }
    tap.close()
    var kept = 0
    while tap.next() != nil { kept += 1 }
    #expect(kept > 0 && kept < 1000)
    tap.add(note, at: .distantPast, heardAt: nil)
    #expect(tap.isEmpty)
  }

  @Test("reports if no member receives the events, because the room is silent or the section is muted")
  func silence() {
    #expect(LocalPart.silence(isSilenced: false, mutedSections: []) == nil)
    #expect(
      LocalPart.silence(isSilenced: true, mutedSections: ["keys"])
        == "the room is silenced until a new start or :unpanic: no machine plays your notes")
    #expect(
      LocalPart.silence(isSilenced: false, mutedSections: ["keys"])
        == "your section keys is muted: no machine plays your notes until the conductor unmutes it")
  }

  @Test("reports the closed notes gates once a note is played behind them")
  func gates() {
    var gates = NotesGates()
    gates.open = ["Ada"]
    #expect(LocalPart.silence(isSilenced: false, mutedSections: [], gates) == nil)
    gates.closed = ["Ben", "Cyd"]
    #expect(
      LocalPart.silence(isSilenced: false, mutedSections: [], gates)
        == "your notes gate to Ben, Cyd is closed: only Ada can hear you")
    gates.open = []
    #expect(
      LocalPart.silence(isSilenced: false, mutedSections: [], gates)
        == "your notes gate is closed: no other machine plays your notes until it is opened "
        + "(gate 1 notes NAME all)")
  }
}

extension SessionMoment {
  /// The beat at which other members play the event, on a network without delay; nil if they play it on arrival.
  fileprivate var beat: Double? {
    switch self {
    case .beat(let beat), .soonest(let beat): beat
    case .now, .next: nil
    }
  }
}
