import MoCore
import Testing

@Suite("The timeline of the music")
struct TimelineTests {
  static func beginning(
    _ tempo: Double = 120, _ meter: Meter = .common, bar: Int = 1, countIn: Int = 0
  ) -> Timeline {
    .beginning(at: .second(100), tempo: tempo, meter: meter, bar: bar, countIn: countIn, take: 1)
  }

  @Test("a count-in of two bars has bars −1 and 0 with negative beats, and sound starts in bar 1")
  func countIn() {
    let timeline = Self.beginning(countIn: 2)
    #expect(timeline.beat(at: .second(100)) == -8)
    #expect(timeline.position(at: .second(100)) == BarPosition(bar: -1, beat: 0, meter: .common))
    #expect(timeline.position(at: .second(103.5)) == BarPosition(bar: 0, beat: 3, meter: .common))
    #expect(timeline.position(at: .second(104)) == BarPosition(bar: 1, beat: 0, meter: .common))
    #expect(timeline.segment(at: .second(100)).soundsFrom == 0)
    #expect(timeline.time(ofBeat: 0, from: .second(0)) == .second(104))
  }

  @Test("if a rhythm's start is hours ahead, tempo, meter, stop and a new start act at once")
  func farAhead() throws {
    for hours in [4.0, 1e6] {
      var ramp = BeatSegment(start: .second(hours * 3600), beat: 28, tempo: 107, isPlaying: true)
      (ramp.endTempo, ramp.rampBeats) = (320, 9)
      let far = Timeline(ramp, take: 1)
      let (at, now) = (SessionTime.second(101), SessionTime.second(100))
      let faster = far.changing(tempo: 90, at: at, now: now)
      #expect(faster.tempo(at: .second(102)) == 90)
      #expect(abs(faster.beat(at: .second(107)) - faster.beat(at: .second(103)) - 6) < 1e-3)
      let meter = try #require(Meter("3/4"))
      #expect(far.changing(meter: meter, at: at, now: now).position(at: .second(102)).meter == meter)
      #expect(!far.stopping(at: at, now: now).isPlaying(at: .second(102)))
      let new = Timeline.beginning(at: at, tempo: 120, meter: .common, take: 2, after: far.last)
      #expect(new.position(at: at) == BarPosition(bar: 1, beat: 0, meter: .common))
      // The protocol refuses longer ramps and beats of a magnitude of 10⁹.
      for segment in [faster.current, new.current] {
        #expect(abs(segment.beat) < 1e9 && segment.rampBeats <= 9)
      }
    }
  }

  @Test("a tempo change before an announced tempo and meter keeps the meter")
  func changeBeforeTwo() throws {
    let meter = try #require(Meter("3/4"))
    let timeline = Self.beginning()
      .changing(tempo: 130, at: .second(110.5), now: .second(110))
      .changing(meter: meter, at: .second(112), now: .second(110))
      .changing(tempo: 140, at: .second(110.5), now: .second(110.1))
    #expect(timeline.tempo(at: .second(113)) == 140)
    #expect(timeline.position(at: .second(113)).meter == meter)
  }

  @Test("a rhythm may start at any bar: bar 9 of 3/4 is at beat 24")
  func bar() throws {
    let timeline = Self.beginning(60, try #require(Meter("3/4")), bar: 9, countIn: 1)
    #expect(timeline.position(at: .second(103)).bar == 9)
    #expect(timeline.beat(at: .second(103)) == 24)
    #expect(timeline.segment(at: .second(103)).soundsFrom == 24)
  }

  @Test("clamps bars, count-ins and tempos")
  func range() {
    #expect(Self.beginning(5000).tempo(at: .second(101)) == 999)
    #expect(Self.beginning(0).tempo(at: .second(101)) == 20)
    #expect(Self.beginning(.nan).tempo(at: .second(101)) == 120)
    #expect(Self.beginning(bar: -4).position(at: .second(100)).bar == 1)
    #expect(Self.beginning(countIn: 99).beat(at: .second(100)) == -32)
  }

  @Test("a tempo change applies from its beat on, and the beat does not jump")
  func tempo() {
    let timeline = Self.beginning().changing(tempo: 60, at: .second(102), now: .second(101))
    #expect(timeline.tempo(at: .second(101.999)) == 120)
    #expect(timeline.tempo(at: .second(102)) == 60)
    #expect(timeline.beat(at: .second(102)) == 4)
    #expect(timeline.beat(at: .second(104)) == 6)
    #expect(timeline.time(ofBeat: 6, from: .second(100)) == .second(104))
  }

  @Test("a meter change makes a bar line, and the bar count continues")
  func meter() throws {
    let waltz = try #require(Meter("3/4"))
    let timeline = Self.beginning().changing(meter: waltz, at: .second(104), now: .second(101))
    #expect(timeline.position(at: .second(103.5)) == BarPosition(bar: 2, beat: 3, meter: .common))
    #expect(timeline.position(at: .second(104)) == BarPosition(bar: 3, beat: 0, meter: waltz))
    #expect(timeline.position(at: .second(105.5)) == BarPosition(bar: 4, beat: 0, meter: waltz))
    #expect(timeline.time(of: .bar, from: .second(104.1)) == .second(105.5))
    #expect(timeline.time(of: .bar, from: .second(102.1)) == .second(104))
  }

  @Test("a meter change in the middle of a bar shortens the bar and begins the next")
  func cutBar() throws {
    let timeline = Self.beginning().changing(
      meter: try #require(Meter("7/8")), at: .second(101), now: .second(100.5))
    #expect(timeline.position(at: .second(100.5)) == BarPosition(bar: 1, beat: 1, meter: .common))
    let place = timeline.position(at: .second(101))
    #expect(place.bar == 2 && place.beat == 0)
  }

  @Test(
    "a stop holds the beat; the next start is a new take, and the old state continues until then")
  func stop() {
    let stopped = Self.beginning().stopping(at: .second(102), now: .second(101))
    #expect(stopped.isPlaying(at: .second(101.9)))
    #expect(!stopped.isPlaying(at: .second(102)))
    #expect(stopped.beat(at: .second(200)) == 4)
    #expect(stopped.time(ofBeat: 5, from: .second(101)) == nil)
    #expect(stopped.time(of: .bar, from: .second(102.1)) == nil)
    #expect(stopped.time(of: .bar, from: .second(101)) == nil)
    let again = Timeline.beginning(
      at: .second(210), tempo: 90, meter: .common, take: 2, after: stopped.segment(at: .second(209)))
    #expect(again.beat(at: .second(209)) == 4)
    #expect(!again.isPlaying(at: .second(209)))
    #expect(again.beat(at: .second(210)) == 0)
    #expect(again.time(of: .beat, from: .second(205)) == .second(210))
  }

  @Test(
    "a change that is asked for before an announced start applies from that start on",
    arguments: [98.0, 99.9, 100])
  func changeBeforeStart(time: Double) {
    let (moment, now) = (SessionTime.second(time), SessionTime.second(97))
    let start = Self.beginning()
    let changed = start.changing(tempo: 60, at: moment, now: now)
      .changing(meter: Meter("3/4")!, at: moment, now: now)
    #expect(!changed.segment(at: .second(99.99)).isPlaying)
    #expect(changed.segment(at: .second(100)).isPlaying)
    #expect(changed.beat(at: .second(100)) == start.beat(at: .second(100)))
    #expect(changed.tempo(at: .second(101)) == 60)
    #expect(changed.segment(at: .second(101)).meter.beatsPerBar == 3)
    let stopped = changed.stopping(at: moment, now: now)
    #expect(!stopped.segment(at: .second(101)).isPlaying)
  }

  @Test("a start that replaces a later start keeps its segments in order")
  func sooner() {
    let first = Timeline.beginning(at: .second(102), tempo: 120, meter: .common, take: 1)
    let sooner = Timeline.beginning(
      at: .second(101), tempo: 90, meter: .common, bar: 3, take: 2, after: first.segment(at: .second(100)))
    #expect(sooner.current.start <= sooner.next?.start ?? .second(0))
    #expect(!sooner.isPlaying(at: .second(100.9)))
    #expect(sooner.beat(at: .second(101)) == 8)
  }

  @Test("an announced stop and an announced tempo change do not undo each other")
  func stopAndTempo() {
    let stopped = Self.beginning().stopping(at: .second(104), now: .second(101))
    let both = stopped.changing(tempo: 60, at: .second(102), now: .second(101.2))
    #expect(!both.isPlaying(at: .second(104)))
    #expect(both.tempo(at: .second(105)) == 60)
  }

  @Test("of two stops, the later request counts")
  func stops() {
    let stopped = Self.beginning().stopping(at: .second(104), now: .second(101))
    let sooner = stopped.stopping(at: .second(102), now: .second(101.2))
    #expect(!sooner.isPlaying(at: .second(102)))
    let later = stopped.stopping(at: .second(106), now: .second(101.2))
    #expect(later.isPlaying(at: .second(105)))
    #expect(!later.isPlaying(at: .second(106)))
  }

  @Test("a change keeps the changes that were announced for later: tempo and meter both come")
  func announced() throws {
    let waltz = try #require(Meter("3/4"))
    let first = Self.beginning().changing(meter: waltz, at: .second(104), now: .second(101))
    let both = first.changing(tempo: 60, at: .second(104), now: .second(102))
    #expect(both.position(at: .second(104)) == BarPosition(bar: 3, beat: 0, meter: waltz))
    #expect(both.tempo(at: .second(104)) == 60)
    let sooner = first.changing(tempo: 60, at: .second(103), now: .second(102))
    #expect(sooner.tempo(at: .second(103)) == 60)
    #expect(sooner.segment(at: .second(110)).meter == waltz)
  }

  @Test("no sequence of changes alters the past or makes the beat jump or go back")
  func laws() throws {
    for seed in 1...400 as ClosedRange<UInt64> {
      var chance = RandomMusic(seed: seed)
      var timeline = chance.beginning()
      var now = SessionTime.second(100)
      for _ in 0..<12 {
        now = now.advanced(bySeconds: chance.number(0...2))
        let changed = chance.change(timeline, now: now)
        #expect(abs(changed.beat(at: now) - timeline.beat(at: now)) < 1e-6, "seed \(seed)")
        // A change that was announced for an earlier time may be cancelled.
        let pending = [timeline.next, timeline.later].compactMap { $0?.start }.filter { $0 > now }
        let soon = min(now.advanced(bySeconds: 0.09), pending.min() ?? .second(1e6))
        #expect(abs(changed.beat(at: soon) - timeline.beat(at: soon)) < 1e-6, "seed \(seed)")
        #expect(changed.take == timeline.take)
        for segment in [changed.next, changed.later].compactMap({ $0 }) {
          let before = changed.beat(at: SessionTime(nanoseconds: segment.start.nanoseconds - 1))
          #expect(abs(before - segment.beat) < 2e-8 + 1e-12 * abs(before), "seed \(seed)")
        }
        timeline = changed
        var last = -Double.infinity
        for step in 0..<200 {
          let beat = timeline.beat(at: now.advanced(bySeconds: Double(step) * 0.03))
          #expect(beat >= last - 1e-8, "seed \(seed)")
          last = beat
        }
      }
    }
  }

  @Test("the time of a beat is its first time, across all changes")
  func inverse() throws {
    for seed in 1...300 as ClosedRange<UInt64> {
      var chance = RandomMusic(seed: seed)
      var timeline = chance.beginning()
      for _ in 0..<3 { timeline = chance.change(timeline, now: .second(100)) }
      for _ in 0..<20 {
        let from = SessionTime.second(chance.number(100...110))
        let beat = timeline.beat(at: from) + chance.number(0...40)
        guard let time = timeline.time(ofBeat: beat, from: from) else {
          // Only if it stops before.
          let end = timeline.segment(at: .second(1e6))
          #expect(!end.isPlaying && end.beat <= beat + 1e-7)
          continue
        }
        #expect(time >= from)
        #expect(abs(timeline.beat(at: time) - beat) < 5e-8, "seed \(seed)")
      }
    }
  }
}
