import MoCore
import Testing

@Suite("The shared beat on one machine")
struct BeatClockTests {
  static func clock(rate: Double = 0) -> SlewedClock {
    var clock = SlewedClock()
    clock.settle(
      on: ClockEstimate(
        at: HostTime(seconds: 50), offset: 50_000_000_000, rate: rate, errorBound: 0, symmetricBound: 0,
        roundTrip: 0, leastRoundTrip: 0, loss: 0), at: HostTime(seconds: 50))
    return clock
  }

  @Test("there is no beat without a rhythm")
  func silence() {
    let beat = BeatClock(clock: Self.clock(), timeline: nil)
    #expect(beat.beat(at: .zero) == nil)
    #expect(beat.position(at: .zero) == nil)
    #expect(beat.tempo(at: .zero) == nil)
    #expect(!beat.isPlaying(at: .zero))
    #expect(beat.time(ofBeat: 3, from: .zero) == nil)
    #expect(beat.time(of: .bar, from: .zero) == nil)
  }

  @Test("beats follow the shared clock, 50 s ahead of the local clock and 100 ppm faster")
  func mapped() throws {
    let beat = BeatClock(clock: Self.clock(rate: 100e-6), timeline: TimelineTests.beginning())
    #expect(beat.beat(at: HostTime(seconds: 50)) == 0)
    // 10 s here are 10.001 s there.
    #expect(abs(try #require(beat.beat(at: HostTime(seconds: 60))) - 20.002) < 1e-7)
    let time = try #require(beat.time(ofBeat: 20, from: HostTime(seconds: 50)))
    #expect(abs(time.nanoseconds - 59_999_000_100) <= 1)
    #expect(beat.hostTime(at: beat.sessionTime(at: HostTime(seconds: 61))) == HostTime(seconds: 61))
    #expect(
      beat.time(of: .bar, from: HostTime(seconds: 50.1)).map { abs($0.seconds - 51.9998) < 1e-6 } == true)
  }

  @Test("below a floor, the beat and its position in the bar wait, and then continue")
  func floor() throws {
    let beat = BeatClock(clock: Self.clock(), timeline: TimelineTests.beginning(), floor: 4.02)
    #expect(beat.beat(at: HostTime(seconds: 51.99)) == 4.02)
    let place = try #require(beat.position(at: HostTime(seconds: 51.99)))
    #expect(place.bar == 2 && abs(place.beat - 0.02) < 1e-9)
    #expect(beat.beat(at: HostTime(seconds: 53)) == 6)
    var last = -Double.infinity
    for step in 0..<3000 {
      let shown = try #require(beat.beat(at: HostTime(seconds: 51 + Double(step) * 0.001)))
      #expect(shown >= last)
      last = shown
    }
  }

  @Test("before an announced start at which the beat jumps, the beats do not belong to its take")
  func takes() {
    let first = TimelineTests.beginning()
    func take(_ timeline: Timeline, at time: Double) -> UInt32? {
      BeatClock(clock: Self.clock(), timeline: timeline).take(at: HostTime(seconds: time))
    }
    #expect(take(first, at: 49) == 1 && take(first, at: 51) == 1)
    let again = Timeline.beginning(
      at: .second(110), tempo: 120, meter: .common, take: 2, after: first.segment(at: .second(109)))
    #expect(take(again, at: 59.9) == nil && take(again, at: 60) == 2)
    func start(bar: Int) -> Timeline {
      .beginning(
        at: .second(110), tempo: 120, meter: .common, bar: bar, take: 2,
        after: first.segment(at: .second(109)))
    }
    #expect(take(start(bar: 9), at: 59.9) == nil && take(start(bar: 9), at: 60) == 2)
    // Beat 20 of both takes.
    #expect(take(start(bar: 6), at: 59.9) == 2)
  }
}
