import MoCore
import MoDSP
import Testing

@Suite("Steps along the beat")
struct BeatStepsTests {
  /// A beat whose line 0 is a second after host time zero, on a shared clock that is `ahead` seconds ahead.
  private func clock(_ tempo: Double, _ meter: Meter = .common, ahead: Double = 0) -> BeatClock {
    var map = SlewedClock()
    map.settle(
      on: ClockEstimate(
        at: .zero, offset: Int64(ahead * 1e9), rate: 0, errorBound: 0, symmetricBound: 0, roundTrip: 0,
        leastRoundTrip: 0, loss: 0),
      at: .zero)
    let start = SessionTime(nanoseconds: 1_000_000_000 + Int64(ahead * 1e9))
    return BeatClock(
      clock: map,
      timeline: Timeline(BeatSegment(start: start, beat: 0, tempo: tempo, isPlaying: true, meter: meter)))
  }

  /// The frames of the lines, counted from host time zero at 48 kHz; `shift` moves a block's time (ns).
  private func frames(
    _ grid: BeatGrid, _ clock: BeatClock, from first: Int = 0, blocks: Int, size: Int,
    shift: (Int) -> Int64 = { _ in 0 }
  ) -> [Int] {
    var steps = BeatSteps(grid)
    let found = frames(&steps, clock, from: first, blocks: blocks, size: size, shift: shift)
    // A block with a shifted time may find the first line slightly early.
    return found.filter { $0 >= 48_000 - size }
  }

  /// The frames of the lines that `steps` finds, counted from host time zero at 48 kHz.
  private func frames(
    _ steps: inout BeatSteps, _ clock: BeatClock, from first: Int = 0, blocks: Int, size: Int,
    shift: (Int) -> Int64 = { _ in 0 }
  ) -> [Int] {
    var found: [Int] = []
    for block in first..<blocks {
      func time(_ frame: Int) -> HostTime {
        HostTime(seconds: Double(block * size + frame) / 48_000).advanced(byNanoseconds: shift(block))
      }
      while let step = steps.next(from: time(0), to: time(size), frames: size, of: clock) {
        found.append(block * size + step.frame)
      }
    }
    return found
  }

  @Test("are at their exact frames for every block length", arguments: [1, 64, 100, 512, 4096])
  func exact(size: Int) {
    // 120 beats per minute: every half second. 48000 + 24000 k.
    let found = frames(.beat, clock(120), blocks: 200_000 / size, size: size)
    #expect(found == (0..<found.count).map { 48_000 + 24_000 * $0 } && found.count > 5)
  }

  @Test("of sixteenths are a quarter of a beat apart in 4/4, half a beat in 7/8")
  func sixteenths() {
    let quarters = frames(.sixteenth, clock(150), blocks: 300, size: 512)
    #expect(quarters == (0..<quarters.count).map { 48_000 + 4_800 * $0 })
    let eighths = frames(.sixteenth, clock(150, Meter(7, 8)!), blocks: 300, size: 512)
    #expect(eighths == (0..<eighths.count).map { 48_000 + 9_600 * $0 })
  }

  @Test("do not exist in the grid .now, and are at least a 64th note apart in every other grid")
  func finest() {
    var steps = BeatSteps(.now)
    #expect(steps.next(from: .zero, to: HostTime(seconds: 2), frames: 96_000, of: clock(120)) == nil)
    let found = frames(.note(1_000_000), clock(120), blocks: 300, size: 480)
    #expect(found == frames(.note(64), clock(120), blocks: 300, size: 480))
    #expect(found == (0..<64).map { 48_000 + 1500 * $0 })
  }

  @Test("are found once each, even if the times of the blocks jitter")
  func onceEach() {
    // Each block's time is up to 0.2 ms off, so that neighbours overlap or leave a gap.
    let found = frames(.sixteenth, clock(125), blocks: 4_000, size: 48) { block in
      Int64(block * 7919 % 400_001) - 200_000
    }
    let wanted = (0..<found.count).map { 48_000 + 5_760 * $0 }
    #expect(found.count == 25)
    #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 48 })
  }

  @Test("report their bar and beat, and whether they are in the count-in")
  func places() throws {
    var clock = clock(60, Meter(3, 4)!)
    clock.timeline = Timeline.beginning(
      at: SessionTime(nanoseconds: 0), tempo: 60, meter: Meter(3, 4)!, bar: 5, countIn: 1, take: 1)
    var steps = BeatSteps(.beat)
    var places: [String] = []
    while let step = steps.next(
      from: .zero, to: HostTime(seconds: 6.5), frames: 6_500, of: clock)
    {
      places.append("\(step.frame) \(step.position.bar).\(Int(step.position.beat + 1.5)) \(step.isCountIn)")
    }
    #expect(
      places == [
        "0 4.1 true", "1000 4.2 true", "2000 4.3 true", "3000 5.1 false", "4000 5.2 false", "5000 5.3 false",
        "6000 6.1 false",
      ])
  }

  @Test(
    "begin at the next bar line for a program that joins inside a bar",
    arguments: [BeatGrid.bar, .beat, .sixteenth])
  func late(grid: BeatGrid) {
    // Bars of two seconds from second 1 on: a start at 2.3 s begins at 3, a start 10 ms late is in time.
    #expect(frames(grid, clock(120), from: 1_150, blocks: 2_500, size: 96).first == 144_000)
    #expect(frames(grid, clock(120), from: 1_505, blocks: 2_500, size: 96).first == 144_480)
    #expect(frames(grid, clock(120), from: 1_550, blocks: 3_500, size: 96).first == 240_000)
  }

  @Test(
    "if the shared clock is set back, the lines continue in the new time without a gap",
    arguments: [1.5, 6, 259_200])
  func setBack(seconds: Double) {
    var steps = BeatSteps(.sixteenth)
    let before = frames(&steps, clock(120, ahead: seconds), blocks: 200, size: 480)
    #expect(before == (0..<8).map { 48_000 + 6000 * $0 })
    let after = frames(&steps, clock(120), from: 200, blocks: 300, size: 480)
    #expect(after == (8..<16).map { 48_000 + 6000 * $0 })
  }

  @Test(
    "if the rhythm starts again between two lines, the first line of the new start is found",
    arguments: [290, 310])
  func startsAgain(announced block: Int) {
    var steps = BeatSteps(.beat)
    var clock = clock(120)
    var found = frames(&steps, clock, blocks: block, size: 480)
    let start = SessionTime(nanoseconds: 3_200_000_000)
    clock.timeline = Timeline.beginning(
      at: start, tempo: 120, meter: .common, bar: 17, countIn: 2, take: 1, after: clock.timeline?.last)
    found += frames(&steps, clock, from: block, blocks: 400, size: 480)
    #expect(found == [48_000, 72_000, 96_000, 120_000, 144_000, 153_600, 177_600])
  }

  @Test("if a change of the tempo moves the last line to a slightly later time, the line is not found twice")
  func moved() {
    var steps = BeatSteps(.beat)
    var clock = clock(120)
    #expect(frames(&steps, clock, blocks: 201, size: 480) == [48_000, 72_000, 96_000])
    // At 1.98 s, the beat is 1.96. From then on, a beat lasts a second, so beat 2 is at 2.02 s.
    clock.timeline = clock.timeline?.changing(
      tempo: 60, at: SessionTime(nanoseconds: 1_980_000_000), now: SessionTime(nanoseconds: 2_010_000_000))
    #expect(frames(&steps, clock, from: 201, blocks: 400, size: 480) == [144_960])
  }

  @Test("stop when the beat stops, and continue when it starts again")
  func stops() {
    var clock = clock(120)
    let stop = SessionTime(nanoseconds: 2_000_000_000)
    clock.timeline = clock.timeline?.stopping(at: stop, now: SessionTime(nanoseconds: 0))
    #expect(frames(.beat, clock, blocks: 300, size: 512) == [48_000, 72_000])
  }
}
