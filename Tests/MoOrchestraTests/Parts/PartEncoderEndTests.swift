import MoCore
import MoInstruments
import MoOrchestra
import Testing

@Suite("The ends of notes that are encoded for the room")
struct PartEncoderEndTests {
  /// An encoder, and the moments of the notes that it has sent.
  private struct Sender {
    var encoder = PartEncoder(part: "piano")
    var starts: [SessionMoment] = []
    var ends: [SessionMoment] = []
    /// The beat at which the other members play each start; nil for the wanted beat.
    var answer: Double?

    mutating func add(_ event: InstrumentEvent, at time: Double, isHeard: Bool = false) {
      encoder.add(LocalEvent(event: event, time: HostTime(seconds: time), isHeard: isHeard))
    }

    /// Sends the events that are due, to members that play each event at its beat.
    mutating func sendDue(at now: Double, _ clock: BeatClock) {
      var (starts, ends): ([SessionMoment], [SessionMoment]) = ([], [])
      let answer = answer
      encoder.sendDue(until: HostTime(seconds: now), clock, grid: Quantiser()) { play, _, moment in
        guard case .note(let note) = play else { return nil }
        if note.velocity > 0 { starts.append(moment) } else { ends.append(moment) }
        return if case .soonest(let beat) = moment { answer ?? beat } else { nil }
      }
      self.starts += starts
      self.ends += ends
    }
  }

  private static let steady = BeatClock.steady(tempo: 120, from: .zero)

  /// Returns the beat after a new start at a time, in seconds; the segment `before` is in force until then.
  private func restart(at start: Double, after before: BeatSegment) -> BeatClock {
    let start = SessionTime(nanoseconds: Int64(start * 1e9))
    return BeatClock(alone: .beginning(at: start, tempo: 120, meter: .common, take: 1, after: before))
  }

  @Test("a note that is held over a stop and a new start ends immediately at the other members")
  func held() {
    var sender = Sender()
    sender.add(.noteOn(Note(60)), at: 20)
    sender.sendDue(at: 20, Self.steady)
    #expect(sender.starts == [.soonest(from: 40)])
    let stopped = BeatSegment(
      start: SessionTime(nanoseconds: 40_000_000_000), beat: 80, tempo: 120, isPlaying: false)
    sender.add(.noteOff(Note(60)), at: 54)
    sender.sendDue(at: 54, restart(at: 50, after: stopped))
    #expect(sender.ends == [.now])
  }

  @Test("a note from before an announced start ends immediately if it is released after the start")
  func announced() throws {
    let clock = restart(at: 21, after: try #require(Self.steady.timeline).current)
    var sender = Sender()
    sender.add(.noteOn(Note(60)), at: 20.5)
    sender.sendDue(at: 20.5, clock)
    #expect(sender.starts == [.soonest(from: 41)])
    sender.add(.noteOff(Note(60)), at: 25)
    sender.sendDue(at: 25, clock)
    #expect(sender.ends == [.now])
  }

  @Test(
    "a note that the others begin only after a new start is not released before its beat",
    arguments: [false, true])
  func overtaken(allOff: Bool) throws {
    let clock = restart(at: 21, after: try #require(Self.steady.timeline).current)
    var sender = Sender()
    sender.answer = 0.8
    sender.add(.noteOn(Note(60)), at: 20.98)
    sender.sendDue(at: 20.98, clock)
    #expect(sender.starts == [.soonest(from: 42)])
    sender.add(allOff ? .allOff : .noteOff(Note(60)), at: 21.03)
    sender.sendDue(at: 21.03, clock)
    #expect(sender.ends == [.beat(0.8 + 1.0 / 64)])
  }

  @Test("a note that is released before an announced start keeps its length")
  func before() throws {
    var sender = Sender()
    sender.add(.noteOn(Note(60)), at: 20)
    sender.sendDue(at: 20, Self.steady)
    sender.add(.noteOff(Note(60)), at: 20.5)
    sender.sendDue(at: 20.5, restart(at: 21, after: try #require(Self.steady.timeline).current))
    guard case .beat(let beat)? = sender.ends.first else {
      Issue.record("\(sender.ends)")
      return
    }
    #expect(abs(beat - 41) < 1e-6)
  }

  @Test("all notes off ends a note that is on its way right after its beat, and a sounding note immediately")
  func allOff() {
    var sender = Sender()
    sender.add(.noteOn(Note(60)), at: 1.0625, isHeard: true)
    sender.sendDue(at: 0.6, Self.steady)
    #expect(sender.starts == [.soonest(from: 2.125)])
    sender.add(.allOff, at: 0.65)
    sender.sendDue(at: 0.65, Self.steady)
    #expect(sender.ends == [.beat(2.125 + 1.0 / 64)])
    sender.add(.noteOn(Note(60)), at: 2)
    sender.sendDue(at: 2, Self.steady)
    sender.add(.allOff, at: 2.5)
    sender.sendDue(at: 2.5, Self.steady)
    #expect(sender.ends.last == .now)
  }

  @Test("a note that is released before it is to sound ends right after its start")
  func early() {
    var sender = Sender()
    sender.add(.noteOn(Note(60)), at: 3, isHeard: true)
    sender.add(.noteOff(Note(60)), at: 1)
    sender.sendDue(at: 1, Self.steady)
    #expect(sender.starts.isEmpty && sender.ends.isEmpty)
    sender.sendDue(at: 2.6, Self.steady)
    sender.sendDue(at: 3.1, Self.steady)
    #expect(sender.starts == [.soonest(from: 6)])
    #expect(sender.ends == [.beat(6 + 1.0 / 64)])
    #expect(sender.encoder.next == nil)
  }

  @Test("a release before a note with the same key is added does not end this note")
  func stray() {
    var sender = Sender()
    sender.add(.noteOff(Note(60)), at: 1)
    sender.add(.noteOn(Note(60)), at: 3, isHeard: true)
    sender.sendDue(at: 1, Self.steady)
    sender.sendDue(at: 3, Self.steady)
    #expect(sender.starts.count == 1 && sender.ends.isEmpty)
  }

  @Test("all notes off drops the earlier notes that are to sound later, but no note that is added after it")
  func allOffEarly() {
    var sender = Sender()
    sender.add(.noteOn(Note(60)), at: 3, isHeard: true)
    sender.add(.noteOff(Note(60)), at: 3.5, isHeard: true)
    sender.add(.allOff, at: 1)
    sender.add(.noteOn(Note(62)), at: 4, isHeard: true)
    sender.sendDue(at: 1, Self.steady)
    sender.sendDue(at: 3, Self.steady)
    #expect(sender.starts.isEmpty && sender.ends.isEmpty)
    sender.sendDue(at: 4, Self.steady)
    #expect(sender.starts == [.soonest(from: 8)])
  }

  @Test("all notes off before an announced start ends a note of the new take right after its beat")
  func allOffBeforeStart() throws {
    let clock = restart(at: 21, after: try #require(Self.steady.timeline).current)
    var sender = Sender()
    sender.add(.noteOn(Note(60)), at: 21.25, isHeard: true)
    sender.sendDue(at: 20.8, clock)
    #expect(sender.starts == [.soonest(from: 0.5)])
    sender.add(.allOff, at: 20.9)
    sender.sendDue(at: 20.9, clock)
    #expect(sender.ends == [.beat(0.5 + 1.0 / 64)])
  }

  @Test("each note whose start is sent has an end, however many notes wait for their ends")
  func ends() {
    let silence = BeatClock(clock: SlewedClock(), timeline: nil)
    var sender = Sender()
    for id in 0..<200 as Range<Int32> {
      let note = Note(Float(id) / 2, id: id)
      sender.add(.noteOn(note), at: 1)
      sender.add(.noteOff(note), at: 9)
      sender.sendDue(at: 1, silence)
    }
    #expect(sender.starts.count == PartEncoder.most)
    sender.sendDue(at: 99, silence)
    #expect(sender.ends.count == PartEncoder.most)
    #expect(sender.encoder.next == nil)
  }
}
