import Glibc
import MoCore
import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("Applying a mapping", .everyOutputPath)
struct MapperTests {
  /// Applies motions given by tilt (degrees) and activity, 100 per second; returns the probe's level or
  /// notes.
  private func levels(_ text: String, _ motions: [Motion]) throws -> [Float] {
    let handle = try InstrumentBus().add(Probe())
    handle.mapping = try Mapping(text, parameters: handle.parameters.map(\.name))
    return motions.map { motion in
      handle.move(motion)
      return handle.value("level") ?? -1
    }
  }

  private func motion(_ index: Int, roll: Float = 0, activity: Float = 0, strike: Float? = nil) -> Motion {
    Motion(
      time: HostTime(seconds: Double(index) / 100), x: 0, y: 0, z: 1, tilt: .init(roll: roll),
      activity: activity, strike: strike)
  }

  @Test("maps a range to a range, and clamps at its ends")
  func ranges() throws {
    let tilts: [Float] = [-90, -45, 0, 22.5, 45, 90]
    let found = try levels(
      "tilt-roll -45..45 -> level 0.2..1", tilts.enumerated().map { motion($0, roll: $1) })
    #expect(zip(found, [0.2, 0.2, 0.6, 0.8, 1, 1] as [Float]).allSatisfy { abs($0 - $1) < 1e-5 })
    let down = try levels("tilt-roll -45..45 -> level 1..0", tilts.enumerated().map { motion($0, roll: $1) })
    #expect(zip(down, [1, 1, 0.5, 0.25, 0, 0] as [Float]).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test(
    "a roll beyond the range keeps the end of the range while the device is turned over or lies face down",
    arguments: [
      ("-45..45", [0, 60, 179.5, -179.5, 179.5, -140, -100, -179.5, 179.5], [0.5, 1, 1, 1, 1, 1, 0, 0, 0]),
      ("45..-45", [0, -60, -179.5, 179.5, 45], [0.5, 1, 1, 1, 0]),
      ("-180..180", [180, -90, 90, -180], [1, 0.25, 0.75, 0]),
      ("-150..150", [140, 170, -170, -150], [29.0 / 30, 1, 1, 0]),
    ] as [(String, [Float], [Float])])
  func turnedOver(range: String, rolls: [Float], wanted: [Float]) throws {
    let found = try levels(
      "tilt-roll \(range) -> level 0..1", rolls.enumerated().map { motion($0, roll: $1) })
    #expect(zip(found, wanted).allSatisfy { abs($0 - $1) < 1e-5 }, "\(found)")
  }

  @Test("a device that lies face down does not open and close a gate at each change of the roll's sign")
  func faceDown() throws {
    let text = "tilt-roll -> gate 0.5..0.5 above 20 below 10"
    let rolls: [Float] = [0, 60, 179.5, -179.5, 179.5, -179.5, 60, 0]
    let found = try impulses(text, rolls.enumerated().map { motion($0, roll: $1) })
    #expect(found.map { ($0 * 1000).rounded() } == [560, -250])
  }

  @Test("applies a curve and a dead zone")
  func curves() throws {
    let found = try levels(
      "activity -> level curve 2", [0, 0.5, 1].enumerated().map { motion($0, activity: $1) })
    #expect(found == [0, 0.25, 1])
    let dead = try levels(
      "tilt-roll -30..30 -> level dead 10", [-20, -10, 5, 10, 25].enumerated().map { motion($0, roll: $1) })
    #expect(zip(dead, [20 / 60, 0.5, 0.5, 0.5, 45 / 60] as [Float]).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test("smoothing covers 95 % of a change in its time")
  func smooth() throws {
    let found = try levels(
      "activity -> level smooth 0.5", [motion(0)] + (1...100).map { motion($0, activity: $0 > 50 ? 1 : 0) })
    #expect(found[50] == 0)
    #expect(abs(found[100] - 0.95) < 0.01)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("an exponential parameter changes by equal ratios")
  func exponential() throws {
    let handle = try InstrumentBus().add(Probe())
    handle.mapping = try Mapping("activity -> size")
    handle.move(motion(0, activity: 0.5))
    #expect(abs((handle.value("size") ?? 0) - 10) < 1e-4)
  }

  /// The pitches and forces that a mapping plays, from the probe's impulses.
  private func impulses(_ text: String, _ motions: [Motion]) throws -> [Float] {
    var harness = Harness()
    let handle = try harness.bus.add(Probe())
    handle.loudness = 1
    _ = harness.render(4800)
    let start = Double(harness.position) / 48_000
    handle.mapping = try Mapping(text)
    for motion in motions {
      var later = motion
      later.time = motion.time.advanced(bySeconds: start)
      handle.move(later)
    }
    return harness.render(4800 + 480 * motions.count).left.filter { abs($0) > 0.01 }
  }

  @Test("a strike sounds, with its force mapped to the target's range")
  func strikes() throws {
    let found = try impulses(
      "jerk 0..1 -> strike 0.2..0.6", [motion(1), motion(2, strike: 0.5), motion(3), motion(4, strike: 1)])
    #expect(zip(found, [0.4, 0.6] as [Float]).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(found.count == 2)
  }

  @Test("tilt selects only notes of the scale, and a trembling hand keeps its note")
  func scale() throws {
    let text = "tilt-roll -45..45 -> note 57..81 in minor-pentatonic A3\njerk -> strike 0.5..0.5"
    var sweep: [Motion] = []
    for index in 0..<46 {
      var one = motion(index, roll: Float(2 * index - 45), strike: 1)
      // Except at the end of a stroke's note.
      one.time = one.time.advanced(bySeconds: -0.0001 * Double(index))
      sweep.append(one)
    }
    // Strikes are notes: velocity 0.5, and the pitch in thousandths.
    let pitches = try impulses(text, sweep).filter { $0 > 0.4 }.map { Int((($0 - 0.5) * 1000).rounded()) }
    #expect(pitches.count == 46)
    #expect(Set(pitches) == [57, 60, 62, 64, 67, 69, 72, 74, 76, 79, 81])
    #expect(pitches == pitches.sorted())
    // Halfway between 57 and 60 is 58.5: −39.375 degrees.
    let tremble = (0..<40).map { motion($0, roll: -39.375 + ($0 % 2 == 0 ? 0.3 : -0.3), strike: 1) }
    #expect(Set(try impulses(text, tremble).filter { $0 > 0.4 }).count == 1)
  }

  @Test("a gate opens above one threshold and closes below a lower one")
  func gate() throws {
    let text = "activity -> gate 0.5..0.5 above 0.4 below 0.2"
    let course: [Float] = [0, 0.3, 0.39, 0.5, 0.3, 0.21, 0.45, 0.19, 0.3, 0.41, 0]
    let found = try impulses(text, course.enumerated().map { motion($0, activity: $1) })
    // A note begins (its velocity, and pitch 60 in thousandths) and ends (−0.25), twice.
    #expect(found.map { ($0 * 1000).rounded() } == [560, -250, 560, -250])
  }

  @Test(
    "a rule whose source is low does not close a gate that another rule holds open",
    arguments: [
      "activity -> gate above 0.4 below 0.2\ntilt-roll -> gate 0.5..0.5 above 20 below 10",
      "tilt-roll -> gate 0.5..0.5 above 20 below 10\nactivity -> gate above 0.4 below 0.2",
    ])
  func gates(text: String) throws {
    let rolls: [Float] = [0, 30, 30, 30, 15, 5, 0]
    let found = try impulses(text, rolls.enumerated().map { motion($0, roll: $1) })
    #expect(found.map { ($0 * 1000).rounded() } == [560, -250])
  }

  @Test("changing the mapping releases a held note")
  func changed() throws {
    var harness = Harness()
    let handle = try harness.bus.add(Probe())
    handle.loudness = 1
    _ = harness.render(4800)
    handle.mapping = try Mapping("activity -> gate 0.5..0.5")
    var high = motion(11, activity: 1)
    high.time = moment(Double(harness.position) + 480)
    handle.move(high)
    handle.mapping = try Mapping("activity -> held")
    high.time = moment(Double(harness.position) + 1200)
    handle.move(high)
    let found = harness.render(4800).left.filter { abs($0) > 0.01 }
    #expect(found.map { ($0 * 1000).rounded() } == [560, -250])
    #expect(handle.value("held") == 1)
  }

  @Test(
    "if the new mapping sets no pitch, a strike is the instrument's own strike again",
    arguments: ["jerk -> strike 0.5..0.5", "cc1 -> strike 0.5..0.5"])
  func pitchRemoved(text: String) throws {
    var harness = Harness()
    let handle = try harness.bus.add(Probe())
    handle.loudness = 1
    _ = harness.render(4800)
    handle.mapping = try Mapping("tilt-roll -> note 60..60")
    func strike() -> [Float] {
      let time = moment(Double(harness.position) + 480)
      var hit = motion(0, strike: 1)
      hit.time = time
      if text.hasPrefix("cc") {
        handle.control(1, value: 0, at: time)
        handle.control(1, value: 127, at: time)
      } else {
        handle.move(hit)
      }
      return harness.render(24_000).left.filter { abs($0) > 0.01 }.map { ($0 * 1000).rounded() }
    }
    handle.move(motion(0))
    handle.mapping = try Mapping("tilt-roll -> note 60..60\n\(text)")
    #expect(strike() == [560, -250])
    handle.mapping = try Mapping(text)
    #expect(strike() == [500])
  }

  @Test("the end of the movement ends the note of a gate, and a later motion begins the note anew")
  func unfollowed() throws {
    var harness = Harness()
    let handle = try harness.bus.add(Probe())
    handle.loudness = 1
    _ = harness.render(4800)
    handle.mapping = try Mapping("activity -> gate 0.5..0.5")
    func move() -> [Float] {
      var high = motion(11, activity: 1)
      high.time = moment(Double(harness.position) + 480)
      handle.move(high)
      return harness.render(4800).left.filter { abs($0) > 0.01 }.map { ($0 * 1000).rounded() }
    }
    #expect(move() == [560])
    handle.endMotion()
    #expect(harness.render(4800).left.filter { abs($0) > 0.01 }.map { ($0 * 1000).rounded() } == [-250])
    #expect(move() == [560])
  }

  @Test("an error names the broken file and the line, and the mapping stays unchanged")
  func broken() throws {
    let folder = Scratch()
    let path = folder.file("mapping")
    func write(_ text: String) {
      guard let file = fopen(path, "w") else { return }
      fputs(text, file)
      fclose(file)
    }
    let handle = try InstrumentBus().add(Probe())
    write("activity -> level")
    try handle.readMapping(file: path)
    let good = handle.mapping
    write("activity => level")
    let error = #expect(throws: MappingError.self) { try handle.readMapping(file: path) }
    #expect(
      error?.description
        == "\(path), line 1: the rule needs a source, ->, and a target: write it as \"activity -> brightness\""
    )
    #expect(handle.mapping == good)
  }
}
