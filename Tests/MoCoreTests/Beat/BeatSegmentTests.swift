import MoCore
import Testing

@Suite("A segment of music with one law")
struct BeatSegmentTests {
  func ramp(from start: Double, to end: Double, over beats: Double) -> BeatSegment {
    var segment = BeatSegment(start: .second(10), beat: 4, tempo: start, isPlaying: true)
    (segment.endTempo, segment.rampBeats) = (end, beats)
    return segment
  }

  @Test("at 120 beats per minute a beat takes half a second, also before the segment's start")
  func steady() {
    let segment = BeatSegment(start: .second(10), beat: 4, tempo: 120, isPlaying: true)
    #expect(segment.beat(at: .second(10)) == 4)
    #expect(segment.beat(at: .second(12)) == 8)
    #expect(segment.beat(at: .second(9)) == 2)
    #expect(segment.time(ofBeat: 0) == .second(8))
    #expect(segment.tempo(at: .second(500)) == 120)
  }

  /// If the tempo changes linearly in time, its mean is (v0 + v1) / 2, so L beats take 2 L / (v0 + v1).
  @Test(
    "a ramp takes its beats at the mean tempo, and is at the known beat after half its time",
    arguments: [(60.0, 120.0, 12.0), (120, 60, 12), (20, 999, 1), (999, 20, 100), (100, 100, 8)])
  func ramp(start: Double, end: Double, beats: Double) throws {
    let segment = ramp(from: start, to: end, over: beats)
    let seconds = 2 * beats / ((start + end) / 60)
    #expect(segment.time(ofBeat: 4 + beats) == .second(10 + seconds))
    #expect(abs(segment.beat(at: .second(10 + seconds)) - (4 + beats)) < 1e-7)
    #expect(abs(segment.tempo(at: .second(10 + seconds / 2)).beatsPerMinute - (start + end) / 2) < 1e-4)
    // v0 t + (v1 − v0) t² / 2 T at t = T / 2.
    let half = (start / 60) * seconds / 2 + (end - start) / 60 * seconds / 8
    #expect(abs(segment.beat(at: .second(10 + seconds / 2)) - (4 + half)) < 1e-7)
    #expect(abs(segment.beat(at: .second(13 + seconds)) - (4 + beats + end / 20)) < 1e-7)
    #expect(segment.tempo(at: .second(11 + seconds)) == Tempo(end))
    #expect(segment.tempo(at: .second(9)) == Tempo(start))
  }

  @Test("the time of a beat inverts the beat at a time, to the nanosecond, also in ramps")
  func inverse() throws {
    var chance = RandomMusic(seed: 7)
    for _ in 0..<2000 {
      var segment = ramp(
        from: chance.number(20...999), to: chance.number(20...999), over: chance.number(0...60))
      segment.beat = chance.number(-100...100_000)
      let beat = segment.beat + chance.number(-20...200)
      let time = try #require(segment.time(ofBeat: beat))
      // Half a nanosecond at 999 beats per minute, and the last digit of a beat with six digits.
      #expect(abs(segment.beat(at: time) - beat) < 1e-8)
    }
  }

  @Test("beats never go back")
  func monotonic() {
    var chance = RandomMusic(seed: 8)
    for _ in 0..<300 {
      let segment = ramp(
        from: chance.number(20...999), to: chance.number(20...999), over: chance.number(0...30))
      var last = -Double.infinity
      for step in 0..<600 {
        let beat = segment.beat(at: .second(5 + Double(step) * 0.05))
        #expect(beat > last)
        last = beat
      }
    }
  }

  @Test("in a stopped segment the beat stays, and no other beat ever comes")
  func still() {
    let segment = BeatSegment(start: .second(10), beat: 4, tempo: 120, isPlaying: false)
    #expect(segment.beat(at: .second(60)) == 4)
    #expect(segment.time(ofBeat: 5) == nil)
  }

  @Test("far times and beats do not overflow")
  func far() {
    let segment = ramp(from: 999, to: 20, over: 10_000)
    for beat in [1e300, -1e300, .infinity, -.infinity, .nan] { _ = segment.time(ofBeat: beat) }
    for time in [Int64.min, .max] {
      _ = segment.beat(at: SessionTime(nanoseconds: time))
      _ = segment.position(ofBeat: segment.beat(at: SessionTime(nanoseconds: time)))
    }
    for beat in [1e300, -1e300, .infinity, .nan] { _ = segment.position(ofBeat: beat) }
  }
}
