import MIDICore
import MoCore
import Testing

@Suite("MIDI clock leader")
struct ClockLeaderTests {
  private func segment(_ second: Double, beat: Double, _ tempo: Double, isPlaying: Bool = true) -> BeatSegment
  {
    BeatSegment(
      start: SessionTime(nanoseconds: Int64(second * 1e9)), beat: beat, tempo: tempo, isPlaying: isPlaying)
  }

  private func events(_ leader: inout MIDIClockLeader, _ beat: BeatClock, until: Double) -> [MIDIClockLeader
    .Event]
  {
    var found: [MIDIClockLeader.Event] = []
    var now = 0.0
    while now < until {
      now += 0.01
      while let event = leader.next(by: beat, until: HostTime(seconds: now)) { found.append(event) }
    }
    return found
  }

  @Test(
    "sends start 5 ms before the first beat, then 24 clocks per quarter through tempo changes and a ramp, to 1 µs"
  )
  func changes() throws {
    var ramp = segment(12, beat: 20, 120)
    (ramp.endTempo, ramp.rampBeats) = (90, 8)
    let timeline = Timeline(segment(2, beat: 0, 120), next: ramp)
    let beat = BeatClock(alone: timeline)
    var leader = MIDIClockLeader(from: .zero)
    let found = events(&leader, beat, until: 30)
    #expect(found[0].message == .start && abs(found[0].time.seconds - 1.995) < 1e-9)
    let clocks = found.dropFirst()
    #expect(clocks.allSatisfy { $0.message == .clock })
    // The beat at a moment, by the formulas of constant and of linearly changing tempo.
    func place(_ time: Double) -> Double {
      guard time >= 12 else { return (time - 2) * 2 }
      let length = 8 * 120 / (120.0 + 90)
      guard time < 12 + length else { return 28 + (time - 12 - length) * 1.5 }
      return 20 + (time - 12) * 2 - (time - 12) * (time - 12) * 0.5 / (2 * length)
    }
    for (index, event) in clocks.enumerated() {
      #expect(abs(place(event.time.seconds) - Double(index) / 24) < 2e-6)
    }
    #expect(clocks.count == Int(place(30) * 24) + 1)
  }

  @Test(
    "keeps each clock within 1 µs of its beat for ten minutes of a room with four tempo changes and a ramp")
  func tenMinutes() throws {
    // The room's clock is 12 s ahead and runs 80 ppm fast.
    var clock = SlewedClock()
    clock.settle(
      on: ClockEstimate(
        at: .zero, offset: 12_000_000_000, rate: 80e-6, errorBound: 0, symmetricBound: 0, roundTrip: 0,
        leastRoundTrip: 0, loss: 0), at: .zero)
    func host(_ session: Double) -> Double { (session - 12) / (1 + 80e-6) }
    // Each change: when it is announced, when it comes (seconds of the room), the tempo, the beats of its ramp.
    let changes = [
      (100.0, 101.3, 97.0, 0.0), (200, 200.4, 143.5, 0), (301, 301.77, 60, 0), (400, 400.5, 180, 64),
      (500, 500.25, 121.3, 0),
    ]
    var timeline = Timeline(segment(14, beat: 0, 120))
    var leader = MIDIClockLeader(from: .zero)
    var clocks: [Double] = []
    var next = 0
    for step in 1...60_000 {
      let now = Double(step) / 100
      if next < changes.count, host(changes[next].0) < now {
        let (announced, start, tempo, beats) = changes[next]
        timeline = timeline.changing(
          tempo: tempo, over: beats, at: SessionTime(nanoseconds: Int64(start * 1e9)),
          now: SessionTime(nanoseconds: Int64(announced * 1e9)))
        next += 1
      }
      let beat = BeatClock(clock: clock, timeline: timeline)
      while let event = leader.next(by: beat, until: HostTime(seconds: now)) {
        if event.message == .clock { clocks.append(event.time.seconds) }
      }
    }
    // The times of all clocks by the sum of what each stretch takes, not by the timeline.
    var times: [Double] = []
    var (start, beat, tempo) = (14.0, 0.0, 120.0)
    func fill(until end: Double, _ time: (Double) -> Double) {
      while true {
        let clock = time(Double(times.count) / 24)
        guard clock < end - 1e-9 else { return }
        times.append(clock)
      }
    }
    for change in changes + [(0, 700, 100, 0)] {
      fill(until: change.1) { start + ($0 - beat) * 60 / tempo }
      (beat, start) = (beat + (change.1 - start) * tempo / 60, change.1)
      if change.3 > 0 {
        let length = change.3 * 120 / (tempo + change.2)
        let bend = (change.2 - tempo) / 60 / (2 * length)
        let (first, from) = (beat, start)
        let speed = tempo / 60
        fill(until: start + length) { wanted in
          from + 2 * (wanted - first) / (speed + (speed * speed + 4 * bend * (wanted - first)).squareRoot())
        }
        (beat, start) = (beat + change.3, start + length)
      }
      tempo = change.2
    }
    #expect(clocks.count > 28_000)
    for (index, found) in clocks.enumerated() {
      #expect(abs(found - host(times[index])) < 1e-6, "clock \(index)")
    }
  }

  @Test("sends stop when the rhythm ends, and song position and continue when it continues in the middle")
  func stopAndContinue() throws {
    let timeline = Timeline(
      segment(1, beat: 0, 120), next: segment(3, beat: 4, 120, isPlaying: false),
      later: segment(5, beat: 4, 120))
    var leader = MIDIClockLeader(from: .zero)
    let found = events(&leader, BeatClock(alone: timeline), until: 6)
    let others = found.filter { $0.message != .clock }
    #expect(others.map(\.message) == [.start, .stop, .songPosition(16), .continue])
    #expect(others.map { ($0.time.seconds * 1000).rounded() } == [995, 3000, 4995, 4995])
    // The clock at the moment of the stop belongs to the beat that stops.
    #expect(found.filter { $0.message == .clock && $0.time.seconds < 4 }.count == 96)
    #expect(found.first { $0.message == .clock && $0.time.seconds > 4 }?.time.seconds == 5)
  }

  @Test("joins a running rhythm at the next sixteenth")
  func joins() throws {
    var leader = MIDIClockLeader(from: HostTime(seconds: 10.01))
    let beat = BeatClock(alone: Timeline(segment(0, beat: 0, 120)))
    let found = events(&leader, beat, until: 11)
    #expect(found[0].message == .songPosition(81) && found[1].message == .continue)
    #expect(found[2] == MIDIClockLeader.Event(message: .clock, time: HostTime(seconds: 10.125)))
  }

  @Test(
    "joins a rhythm that is longer than song position can count, at the same place in the bar",
    arguments: [(4, 4, 16_801 - 16_384), (3, 4, 16_801 - 16_380), (5, 32, 16_801 - 16_380)])
  func joinsLate(beats: Int, unit: Int, place: Int) throws {
    var course = segment(0, beat: 0, 120 * Double(unit) / 4)
    course.meter = try #require(Meter(beats, unit))
    var leader = MIDIClockLeader(from: HostTime(seconds: 2100.01))
    let beat = BeatClock(alone: Timeline(course))
    var found: [MIDIClockLeader.Event] = []
    while let event = leader.next(by: beat, until: HostTime(seconds: 2100.2)) { found.append(event) }
    #expect(found[0].message == .songPosition(MIDIUInt14(clamping: place)))
    #expect(found[1].message == .continue && abs(found[2].time.seconds - 2100.125) < 1e-6)
  }

  @Test("stops gear and restarts it after a jump of the beat")
  func jump() throws {
    var leader = MIDIClockLeader(from: .zero)
    _ = events(&leader, BeatClock(alone: Timeline(segment(0.5, beat: 0, 120))), until: 2)
    let jumped = BeatClock(alone: Timeline(segment(0.5, beat: 32, 120)))
    var found: [MIDIClockLeader.Event] = []
    while let event = leader.next(by: jumped, until: HostTime(seconds: 2.2)) { found.append(event) }
    #expect(found.prefix(3).map(\.message) == [.stop, .songPosition(141), .continue])
    #expect(found[3].time == HostTime(seconds: 2.125))
  }

  @Test("counts eighths as half quarters")
  func eighths() throws {
    var course = segment(1, beat: 0, 120)
    course.meter = try #require(Meter(7, 8))
    var leader = MIDIClockLeader(from: .zero)
    let found = events(&leader, BeatClock(alone: Timeline(course)), until: 2.975)
    #expect(found.count == 1 + 4 * 12)
  }

  @Test("leads a follower to its own beat")
  func followed() throws {
    let timeline = Timeline(segment(1, beat: 0, 100), next: segment(13, beat: 20, 130))
    let beat = BeatClock(alone: timeline)
    var leader = MIDIClockLeader(from: .zero)
    var follower = MIDIClockFollower()
    for event in events(&leader, beat, until: 25) { follower.receive(event.message, at: event.time) }
    let now = HostTime(seconds: 24.5)
    expectNear(follower.beat(at: now), beat.beat(at: now) ?? .nan, 1e-3)
  }
}
