import Glibc
import MoCore
import MoDSP
import MoInstruments
import MoTesting
import Testing

/// A realistic output: its latency in milliseconds, its block size, and the blocks per burst.
struct Output: CustomTestStringConvertible, Sendable {
  var milliseconds: Int
  var block: Int
  var burst: Int

  var testDescription: String { "\(milliseconds) ms, \(block) frames × \(burst)" }

  /// A card, a sound server, a slow server and Bluetooth; small and large blocks; a server that requests
  /// four blocks together.
  static let all: [Output] = [0, 16, 50, 250].flatMap { milliseconds in
    [64, 256, 1024].flatMap { block in
      [1, 4].map { Output(milliseconds: milliseconds, block: block, burst: $0) }
    }
  }

  func harness(even: Bool = true) -> Harness {
    Harness(blockFrames: block, latency: milliseconds * 48, burst: burst, spacesEvenly: even)
  }
}

/// Laws of the two kinds of time, with players that follow what they hear.
@Suite("Played events are heard at the right time")
struct TimingLawTests {
  /// 120 beats per minute: a sixteenth is 6,000 frames, bar 1 begins at frame 4,800.
  private static let beat = BeatClock.steady(tempo: 120, from: moment(4800))

  private func add(to harness: Harness, grid: Quantiser? = nil) throws -> (InstrumentHandle, EventLog) {
    let log = EventLog()
    let handle = try harness.bus.add(LogProbe(log))
    handle.grid = grid
    harness.bus.follow { Self.beat }
    return (handle, log)
  }

  @Test(
    "a stroke is heard on its nearest line, or within latency and a block after it was played",
    arguments: Output.all)
  func strokes(output: Output) throws {
    var random = TestRandom(seed: UInt64(output.milliseconds + output.block * output.burst))
    for even in [true, false] {
      var harness = output.harness(even: even)
      let (handle, log) = try add(to: harness, grid: Quantiser())
      // Farther apart than any shift, so that they stay in order.
      let played = (0..<40).map { 20_000.0 + Double($0) * 26_003 + random.uniform() * 4000 }
      _ = harness.perform(1_100_000, played.map { frame in (frame, { handle.strike(0.5, at: $0) }) })
      let heard = log.strokes
      #expect(heard.count == played.count)
      for (played, heard) in zip(played, heard) {
        let line = 4800 + ((played - 4800) / 6000).rounded() * 6000
        let soonest = played + harness.playThrough
        if line >= soonest {
          #expect(abs(Double(heard) - line) <= 1, "played \(played), line \(line)")
        } else {
          #expect(Double(heard) >= max(played, line) - 1)
          #expect(Double(heard) <= max(soonest, line) + 1, "played \(played), line \(line), heard \(heard)")
        }
      }
    }
  }

  @Test("a stroke exactly on the line that the player hears stays on that line", arguments: Output.all)
  func onTheBeat(output: Output) throws {
    var harness = output.harness()
    let (handle, log) = try add(to: harness, grid: Quantiser())
    let played = (1...20).map { 4800 + Double($0) * 24_000 }
    _ = harness.perform(560_000, played.map { frame in (frame, { handle.strike(0.5, at: $0) }) })
    #expect(log.strokes.count == 20)
    for (played, heard) in zip(played, log.strokes) {
      #expect(abs(Double(heard) - played - harness.playThrough) <= 1)
    }
  }

  @Test("live strokes keep their spacing at any block size", arguments: Output.all)
  func spacing(output: Output) throws {
    var random = TestRandom(seed: 5)
    var harness = output.harness()
    let (handle, log) = try add(to: harness)
    var frame = 20_000.0
    let played = (0..<200).map { _ -> Double in
      frame += 300 + random.uniform() * 3000
      return frame
    }
    _ = harness.perform(500_000, played.map { frame in (frame, { handle.strike(0.5, at: $0) }) })
    let heard = log.strokes
    #expect(heard.count == played.count)
    for index in 1..<heard.count {
      #expect(abs(Double(heard[index] - heard[index - 1]) - (played[index] - played[index - 1])) <= 1)
    }
    #expect(zip(played, heard).allSatisfy { Double($1) <= $0 + harness.playThrough + 1 })
  }

  @Test("a note keeps its played length, live and on the grid", arguments: Output.all)
  func lengths(output: Output) throws {
    var random = TestRandom(seed: 9)
    for grid in [nil, Quantiser(), Quantiser(strength: 0.6, swing: 0.5)] {
      var harness = output.harness(even: random.next() & 1 == 0)
      let (handle, log) = try add(to: harness, grid: grid)
      var acts: [(Double, (HostTime) -> Void)] = []
      var lengths: [Float: Double] = [:]
      for index in 0..<60 {
        let (start, length) = (20_000 + random.uniform() * 500_000, 100 + random.uniform() * 30_000)
        let pitch = Float(20 + index)
        lengths[pitch] = length
        if index % 2 == 0 {
          // Both are known at the same time, as for the note of a stroke.
          let duration = Duration.nanoseconds(moment(length).nanoseconds)
          acts.append((start, { handle.playNote(pitch, for: duration, at: $0) }))
        } else {
          acts.append((start, { handle.noteOn(pitch, id: Int32(index), at: $0) }))
          acts.append((start + length, { handle.noteOff(pitch, id: Int32(index), at: $0) }))
        }
      }
      _ = harness.perform(600_000, acts)
      let ends = Dictionary(uniqueKeysWithValues: log.ended)
      #expect(log.begun.count == 60 && ends.count == 60)
      for entry in log.entries {
        guard case .noteOn(let note) = entry.event, let end = ends[note.id], let length = lengths[note.pitch]
        else { continue }
        #expect(abs(Double(end - entry.frame) - length) <= Double(output.block * output.burst) + 1)
        if harness.spacesEvenly { #expect(abs(Double(end - entry.frame) - length) <= 2) }
      }
    }
  }

  @Test("fast repeated notes are never cut short: each keeps its length", arguments: Output.all)
  func repeats(output: Output) throws {
    var harness = output.harness()
    let (handle, log) = try add(to: harness)
    handle.mapping = try Mapping("activity -> note 60..72\njerk -> strike")
    // Shaken every 190 ms; the note of a stroke lasts 250 ms.
    let acts = (0..<30).map { index -> (Double, (HostTime) -> Void) in
      (
        20_000 + Double(index) * 9120,
        { handle.move(Motion(time: $0, x: 0, y: 0, z: 1, activity: 0.5, strike: 0.8)) }
      )
    }
    _ = harness.perform(340_000, acts)
    let ends = Dictionary(uniqueKeysWithValues: log.ended)
    #expect(log.begun.count == 30)
    for note in log.begun {
      let end = try #require(ends[note.id])
      #expect(abs(Double(end - note.frame) - 12_000) <= 2)
    }
  }

  @Test("a loop repeats notes at the beat at which they were played, equally long", arguments: Output.all)
  func loops(output: Output) throws {
    var random = TestRandom(seed: 21)
    for grid in [nil, Quantiser()] {
      var harness = output.harness()
      let (handle, log) = try add(to: harness, grid: grid)
      // Two bars from beat 8 on: frames 196,800 to 388,800.
      let start = 4800.0 + 8 * 24_000
      var acts: [(Double, (HostTime) -> Void)] = [(110_000, { _ in handle.record(beats: 8) })]
      var notes: [(pitch: Float, played: Double, length: Double)] = []
      for index in 0..<16 {
        // The last one is played just before the end.
        let place = index == 15 ? 191_000 : Double(index) * 12_000 + random.uniform() * 5000
        notes.append((Float(40 + index), start + place, 600 + random.uniform() * 3000))
      }
      for note in notes {
        let length = Duration.nanoseconds(moment(note.length).nanoseconds)
        acts.append((note.played, { handle.playNote(note.pitch, for: length, at: $0) }))
      }
      _ = harness.perform(1_000_000, acts)
      #expect(handle.loop?.count == 16)
      // The second round, which contains every note.
      let round = Int(start) + 2 * 192_000
      for note in notes {
        var place = note.played - start
        if grid != nil { place = ((place / 6000).rounded() * 6000).truncatingRemainder(dividingBy: 192_000) }
        let heard = log.entries.first { entry in
          guard case .noteOn(let other) = entry.event else { return false }
          return other.pitch == note.pitch && entry.frame >= round - 48 && entry.frame < round + 191_952
        }
        let entry = try #require(heard, "pitch \(note.pitch) is missing in the second round")
        #expect(abs(Double(entry.frame - round) - place) <= 48)
        guard case .noteOn(let other) = entry.event else { continue }
        let end = try #require(log.ended.first { $0.id == other.id && $0.frame >= entry.frame })
        // The last note is held over the loop's end, and ends there.
        if note.pitch != 55 { #expect(abs(Double(end.frame - entry.frame) - max(note.length, 375)) <= 48) }
      }
    }
  }

  @Test("an event with a heard time is heard at that time, at any latency", arguments: Output.all)
  func heardAt(output: Output) throws {
    var harness = output.harness()
    let (handle, log) = try add(to: harness, grid: Quantiser())
    let moments = (0..<50).map { 40_000 + Double($0) * 3001 }
    let lead = harness.playThrough + 10
    _ = harness.perform(
      200_000,
      moments.map { frame in (frame - lead, { _ in handle.strike(0.5, heardAt: moment(frame)) }) })
    #expect(log.strokes == moments.map { Int($0) })
  }

  @Test("no note hangs in 100,000 random performances", arguments: 0..<4)
  func hangs(part: Int) throws {
    var random = TestRandom(seed: UInt64(part) + 77)
    for performance in 0..<25_000 {
      let held = try performed(&random)
      #expect(held.isEmpty, "performance \(performance) of part \(part)")
      if !held.isEmpty { return }
    }
  }

  /// Plays random events for some blocks, releases all keys, and returns the notes that are still held.
  private func performed(_ random: inout TestRandom) throws -> Set<Int32> {
    func chance(_ part: Double) -> Bool { random.uniform() < part }
    func choose(_ values: [Int]) -> Int { values[Int(random.uniform() * Double(values.count))] }
    let output = Output(
      milliseconds: choose([0, 1, 3, 20]), block: choose([16, 64, 100]), burst: choose([1, 1, 4]))
    var harness = output.harness(even: chance(0.8))
    let (handle, log) = try add(to: harness, grid: chance(0.6) ? Quantiser(stepsPerBeat: 32) : nil)
    var down: [Int32] = []
    for _ in 0..<8 {
      let count = chance(0.01) ? 700 : Int(random.uniform() * 5)
      for _ in 0..<count {
        // Late, without a time, or for a later time.
        let offset: Double = (random.uniform() - 0.8) * 0.01
        let now = harness.now
        let time: HostTime = chance(0.2) ? .distantPast : now.advanced(bySeconds: offset)
        let pitch = Float(Int(random.uniform() * 6) + 60)
        switch random.next() % 8 {
        case 0, 1, 2:
          let id = Int32(pitch)
          let isTaken =
            chance(0.2)
            ? handle.noteOn(pitch, id: id, heardAt: now.advanced(bySeconds: abs(offset)))
            : handle.noteOn(pitch, id: id, at: time)
          if isTaken, !down.contains(id) { down.append(id) }
        case 3, 4: handle.playNote(pitch, for: .milliseconds(5 * random.uniform()), at: max(now, time))
        case 5:
          if let id = down.popLast() { handle.noteOff(Float(id), id: id, at: max(now, time)) }
        case 6: if chance(0.05) { handle.allNotesOff(at: time) }
        default: handle.grid = chance(0.5) ? Quantiser(stepsPerBeat: 32) : nil
        }
      }
      if chance(0.02) { harness.bus.follow(nil) }
      if chance(0.02) { harness.bus.follow { Self.beat } }
      _ = harness.render(output.block * output.burst)
    }
    // All keys are released after the last one was struck.
    let last = harness.now.advanced(bySeconds: 0.011)
    for id in Int32(60)...65 { handle.noteOff(Float(id), id: id, at: last) }
    _ = harness.render(4800)
    return log.held
  }
}
