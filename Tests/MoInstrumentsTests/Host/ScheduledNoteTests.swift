import MoCore
import MoInstruments
import Testing

/// Notes that are scheduled ahead with `heardAt`, next to played notes of the same pitch.
@Suite("Notes that are scheduled ahead")
struct ScheduledNoteTests {
  private var harness = Harness()
  private let log = EventLog()
  private let handle: InstrumentHandle

  init() throws { handle = try harness.bus.add(LogProbe(log)) }

  @Test(
    "a scheduled note does not delay the release of a played note of the same pitch",
    arguments: [true, false])
  mutating func taps(isScheduledFirst: Bool) {
    if isScheduledFirst { handle.noteOn(60, heardAt: moment(96_000)) }
    handle.noteOn(60, at: moment(4800))
    _ = harness.render(9600)
    if !isScheduledFirst { handle.noteOn(60, heardAt: moment(96_000)) }
    handle.noteOff(60, at: moment(14_400))
    handle.noteOff(60, heardAt: moment(105_600))
    _ = harness.render(110_400)
    #expect(log.begun.map(\.frame) == [4800, 96_000])
    #expect(log.ended.map(\.frame) == [14_400, 105_600])
  }

  @Test("after allNotesOff, a dropped note does not delay the release of the next note")
  mutating func dropped() {
    handle.noteOn(60, heardAt: moment(96_000))
    handle.allNotesOff(at: moment(2400))
    _ = harness.render(4800)
    handle.noteOn(60, at: moment(4900))
    handle.noteOff(60, at: moment(9600))
    _ = harness.render(110_400)
    #expect(log.begun.map(\.frame) == [4900])
    #expect(log.ended.map(\.frame) == [9600])
  }

  @Test(
    "a scheduled note and its release do not change the length of a played note that waits for a grid line")
  mutating func onGrid() {
    handle.grid = Quantiser()
    harness.bus.follow { BeatClock.steady(tempo: 120, from: moment(4800)) }
    handle.noteOn(60, at: moment(7900))
    _ = harness.render(8192)
    handle.noteOn(60, heardAt: moment(96_000))
    handle.noteOff(60, heardAt: moment(105_600))
    handle.noteOff(60, at: moment(9000))
    _ = harness.render(110_400)
    #expect(log.begun.map(\.frame) == [10_800, 96_000])
    #expect(log.ended.map(\.frame) == [11_900, 105_600])
  }

  @Test("each of two scheduled notes of the same pitch has its own release")
  mutating func two() {
    handle.noteOn(60, heardAt: moment(4800))
    handle.noteOn(60, heardAt: moment(9600))
    handle.noteOff(60, heardAt: moment(7200))
    handle.noteOff(60, heardAt: moment(12_000))
    _ = harness.render(24_000)
    #expect(log.begun.map(\.frame) == [4800, 9600])
    #expect(log.ended.map(\.frame) == [7200, 12_000])
  }

  @Test("one release ends a note that was played twice, and a scheduled note that has begun since")
  mutating func joined() {
    handle.noteOn(60, heardAt: moment(7200))
    handle.noteOn(60, at: moment(4800))
    handle.noteOn(60, at: moment(6000))
    handle.noteOff(60, at: moment(9600))
    _ = harness.render(12_000)
    handle.noteOn(60, at: moment(12_400))
    handle.noteOff(60, at: moment(13_000))
    _ = harness.render(12_000)
    #expect(log.ended.map(\.frame) == [9600, 13_000])
    #expect(log.held.isEmpty)
  }
}
