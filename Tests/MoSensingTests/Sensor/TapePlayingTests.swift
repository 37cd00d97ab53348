import Glibc
import MoCore
import MoOSC
import MoRuntime
import MoSensing
import Testing

@Suite("Playing of sensor tapes")
struct TapePlayingTests {
  private let path = "/tmp/momu-played-\(getpid())-\(UInt32.random(in: 0 ... .max)).osc"

  private func rotations(_ source: String, seconds: Double, _ run: Run = offlineRun()) throws -> [Rotation] {
    let server = SensorServer<Rotation>(.gyro)
    let heard = Collected<Rotation>()
    server.callbacks.add { heard.add($0) }
    try server.start(source: source, in: run)
    play(run, seconds: seconds)
    server.stop()
    return heard.all
  }

  @Test("at double speed, the readings are the same at half the times")
  func faster() throws {
    defer { unlink(path) }
    let recorded = try rotations("sim:tilt", seconds: 2, offlineRun { $0.recordTape = path })
    let played = try rotations("tape:\(path)?speed=2", seconds: 1)
    #expect(played.count == recorded.count)
    for (one, other) in zip(played, recorded) {
      #expect(one.time.nanoseconds * 2 == other.time.nanoseconds && one.z == other.z)
    }
  }

  @Test("a looped tape starts again at its end, for ever, together for all its sensors")
  func looped() throws {
    defer { unlink(path) }
    let run = offlineRun { $0.recordTape = path }
    let accel = AccelServer()
    try accel.start(source: "sim:tilt", in: run)
    // The other sensor ends a second earlier: the tape's end counts.
    _ = try rotations("sim:tilt", seconds: 1, run)
    play(run, seconds: 2)
    accel.stop()
    let once = try rotations("tape:\(path)", seconds: 1)
    let played = try rotations("tape:\(path)?loop", seconds: 9.99)
    #expect(once.count == 101 && played.count == 5 * 101)
    for (n, rotation) in played.enumerated() {
      #expect(rotation.time.nanoseconds == once[n % 101].time.nanoseconds + Int64(n / 101) * 2_000_000_000)
      #expect(rotation.x == once[n % 101].x)
    }
  }

  @Test(
    "a looped tape of one moment plays once, and one without readings of the sensor is reported")
  func short() throws {
    defer { unlink(path) }
    _ = try rotations("sim:tilt", seconds: 0, offlineRun { $0.recordTape = path })
    #expect(try rotations("tape:\(path)?loop", seconds: 0.1).count >= 1)
    let accel = AccelServer()
    #expect(throws: SensorError.self) { try accel.start(source: "tape:\(path)?loop", in: offlineRun()) }
  }

  @Test("a tape shorter than a millisecond is not looped, and does not hang")
  func tiny() throws {
    defer { unlink(path) }
    _ = try rotations("sim:tilt", seconds: 1, offlineRun { $0.recordTape = path })
    let played = try rotations("tape:\(path)?speed=1000000&loop", seconds: 0.001)
    #expect(played.count >= 101 && played.count < 110)
    // At 1.25 ms per round, other inputs are serviced between two rounds.
    let run = offlineRun()
    let server = SensorServer<Rotation>(.gyro)
    let heard = Collected<Rotation>()
    server.callbacks.add { heard.add($0) }
    try server.start(source: "tape:\(path)?speed=800&loop", in: run)
    run.input.service(until: HostTime(seconds: 60))
    #expect(heard.all.count == 101)
    server.stop()
  }

  @Test("a tape of a century, slowed down, does not overflow")
  func century() throws {
    defer { unlink(path) }
    let tape = try OSCTapeWriter(path: path, startNanosecondsSince1970: 0, madeBy: "a test")
    for time in [0, 4_000_000_000_000_000_000] as [Int64] {
      try tape.write(OSCMessage("/momu/gyro", [.float(1), .float(2), .float(3)]), atNanoseconds: time)
    }
    try tape.close()
    #expect(try rotations("tape:\(path)?speed=0.001", seconds: 0.1).first?.z == 3)
  }

  @Test("reports an unknown playing option", arguments: ["loud", "speed=0", "speed=fast", "speed="])
  func unknown(_ wish: String) {
    #expect(
      throws: SensorError.tape(
        "unknown setting \"\(wish)\" for a tape: write tape:FILE?speed=2, ?loop or ?speed=2&loop")
    ) { try TapePlaying("/nowhere/tape.osc?\(wish)") }
  }

  @Test("plays a file whose name contains a question mark")
  func fileName() throws {
    let odd = "\(path)?loop"
    defer { unlink(odd) }
    _ = try rotations("sim:tilt", seconds: 1, offlineRun { $0.recordTape = odd })
    #expect(try TapePlaying(odd) == TapePlaying(odd))
    #expect(try TapePlaying(odd).path == odd && !TapePlaying(odd).loops)
  }
}
