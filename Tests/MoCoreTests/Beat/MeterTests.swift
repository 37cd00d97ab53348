import MoCore
import Testing

@Suite("Meters, bars and grids")
struct MeterTests {
  @Test("reads a meter as musicians write it", arguments: ["4/4", "3/4", "7/8", "12/16", "1/1", "64/32"])
  func text(text: String) { #expect(Meter(text)?.description == text) }

  @Test(
    "refuses text that is not a meter",
    arguments: ["", "4", "4/", "/4", "0/4", "65/4", "4/3", "4/64", "4/0", "-3/4", "4/4/4", " 4/4", "a/b"])
  func none(text: String) { #expect(Meter(text) == nil) }

  @Test("bars of 3/4 and 7/8 have three and seven beats, counted from bar 1", arguments: ["3/4", "7/8"])
  func bars(text: String) throws {
    let meter = try #require(Meter(text))
    let segment = BeatSegment(start: .second(0), beat: 0, tempo: 120, isPlaying: true, meter: meter)
    for beat in -30..<60 {
      let length = meter.beatsPerBar
      let bars = (beat - (beat % length + length) % length) / length
      let place = segment.position(ofBeat: Double(beat) + 0.25)
      #expect(place.bar == 1 + bars)
      #expect(place.beat == Double(beat - bars * length) + 0.25)
      #expect(place.meter == meter)
    }
  }

  @Test("grid steps follow the meter's unit: sixteenths, eighths, quarters and triplets")
  func steps() throws {
    let eighths = try #require(Meter("7/8"))
    #expect(BeatGrid.sixteenth.step(in: .common) == 0.25)
    #expect(BeatGrid.sixteenth.step(in: eighths) == 0.5)
    #expect(BeatGrid.note(12).step(in: .common) * 3 == BeatGrid.quarter.step(in: .common))
    #expect(BeatGrid.beat.step(in: eighths) == 1)
    #expect(BeatGrid.bar.step(in: eighths) == 7)
    #expect(BeatGrid.now.step(in: eighths) == 0)
  }

  @Test("a grid's next line is the first at or after a moment, and a line is its own next line")
  func lines() throws {
    var chance = RandomMusic(seed: 3)
    let grids: [BeatGrid] = [.beat, .bar, .sixteenth, .eighth, .note(12), .note(1)]
    for _ in 0..<3000 {
      let timeline = chance.beginning()
      let grid = grids[Int.random(in: grids.indices, using: &chance)]
      let from = SessionTime.second(chance.number(100...4000))
      let line = try #require(timeline.time(of: grid, from: from))
      #expect(line >= from)
      let segment = timeline.last
      let step = grid.step(in: segment.meter)
      let lines = (segment.beat(at: line) - segment.barBeat) / step
      #expect(abs(lines - lines.rounded()) * step < 3e-8)
      #expect((segment.beat(at: line) - segment.beat(at: from)) < step + 3e-8)
      #expect(timeline.time(of: grid, from: line) == line)
      // From a moment later it is the next line.
      let next = try #require(timeline.time(of: grid, from: line.advanced(bySeconds: 1e-6)))
      #expect(abs(next.seconds(since: line) - step * 60 / segment.tempo) < 3e-9)
    }
  }
}
