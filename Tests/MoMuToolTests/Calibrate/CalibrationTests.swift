import MoTesting
import Testing

@testable import MoMuTool

/// The duration of a frame, in milliseconds.
private let frame = 1000 / SimulatedRoom.rate

@Suite("Measuring a device's delay by clicks")
struct CalibrationTests {
  private let score = ClickScore(clicks: 5, sampleRate: SimulatedRoom.rate)

  private func measure(_ room: SimulatedRoom, distance: Double = 0, seed: UInt64 = 1) throws -> Calibration {
    try Calibration(room.take(score, seed: seed), of: score, distance: distance)
  }

  @Test("measures a delay to a twentieth of a frame", arguments: [0.0231, 0.0231 + 0.3e-5, 0.1, 0.35, 0.7])
  func exact(seconds: Double) throws {
    let found = try measure(SimulatedRoom(delay: seconds))
    #expect(abs(found.roundTrip - 1000 * seconds) < frame / 20)
    // The device reports 20 ms; the rest is the trim.
    #expect(abs(found.trim - (1000 * seconds - 20)) < frame / 20)
    #expect(found.spread < frame / 20)
    #expect(found.heard == 5)
  }

  @Test(
    "noise as loud as the clicks changes the delay by less than two frames",
    arguments: 1...8 as ClosedRange<UInt64>)
  func noisy(seed: UInt64) throws {
    var room = SimulatedRoom(delay: 0.0471)
    room.noise = 1
    let found = try measure(room, seed: seed)
    #expect(abs(found.roundTrip - 47.1) < 2 * frame)
    #expect(found.heard == 5)
  }

  @Test(
    "uses the first arrival, not a louder echo",
    arguments: [(0.0008, 2.0), (0.003, -1.5), (0.02, 3), (0.2, 1)])
  func echo(later: Double, louder: Double) throws {
    var room = SimulatedRoom(delay: 0.031, gain: 0.2)
    room.paths.append(SimulatedRoom.Path(seconds: 0.031 + later, gain: 0.2 * louder))
    #expect(abs(try measure(room).roundTrip - 31) < 2 * frame)
  }

  @Test("fifty fading echoes change the delay by less than a tenth of a millisecond")
  func hall() throws {
    var room = SimulatedRoom(delay: 0.012, gain: 0.3)
    var random = TestRandom(seed: 3)
    for _ in 0..<50 {
      let later = 0.002 + 0.2 * random.uniform()
      let sign = random.uniform() < 0.5 ? -1.0 : 1
      room.paths.append(SimulatedRoom.Path(seconds: 0.012 + later, gain: sign * 0.15 * (1 - later / 0.25)))
    }
    #expect(abs(try measure(room).roundTrip - 12) < 0.1)
  }

  @Test("a microphone with inverted polarity measures the same delay")
  func polarity() throws {
    #expect(abs(try measure(SimulatedRoom(delay: 0.0222, gain: -0.5)).roundTrip - 22.2) < frame / 20)
  }

  @Test("a clipping microphone measures the same delay, with a warning")
  func overdriven() throws {
    var room = SimulatedRoom(delay: 0.0222, gain: 20)
    room.limit = 1
    let found = try measure(room)
    #expect(abs(found.roundTrip - 22.2) < frame / 2)
    #expect(found.isOverdriven)
    #expect(try !measure(SimulatedRoom(delay: 0.0222)).isOverdriven)
  }

  @Test("subtracts the time in the air, 2.9 ms per metre")
  func distance() throws {
    #expect(abs(try measure(SimulatedRoom(delay: 0.040), distance: 1).roundTrip - (40 - 2.914)) < 0.01)
  }

  @Test("a late click changes only the largest distance")
  func stutter() throws {
    var room = SimulatedRoom(delay: 0.040)
    room.late = { $0 == 2 ? 0.030 : 0 }
    let found = try measure(room)
    #expect(abs(found.roundTrip - 40) < frame / 20)
    #expect(abs(found.farthest - 30) < 0.01)
  }

  @Test("a device that sounds too early has a negative trim")
  func early() throws {
    var room = SimulatedRoom(delay: 0.010)
    room.known = 0.015
    #expect(abs(try measure(room).trim - -5) < frame / 20)
  }

  private func failure(_ room: SimulatedRoom) -> String? {
    #expect(throws: CalibrationError.self) { try measure(room) }?.description
  }

  @Test("reports a silent microphone as muted, even if its last bit is set")
  func silent() {
    let text =
      "the microphone is silent: unmute it (alsamixer, F4, space on Capture; or its switch) and try again"
    #expect(failure(SimulatedRoom(delay: 0.02, gain: 0)) == text)
    #expect(failure(SimulatedRoom(delay: 0.02, gain: 0x1p-15)) == text)
  }

  @Test(
    "finds no clicks in noise without clicks",
    arguments: 1...8 as ClosedRange<UInt64>)
  func notHeard(seed: UInt64) {
    var room = SimulatedRoom(delay: 0.02, gain: 0.02)
    room.noise = 1
    var take = room.take(score, seed: seed)
    // The same noise without the clicks.
    let silence = SimulatedRoom(delay: 0.02, gain: 0.02).take(score, seed: seed)
    for index in take.recording.indices { take.recording[index] -= silence.recording[index] }
    let error = #expect(throws: CalibrationError.self) { try Calibration(take, of: score, distance: 0) }
    #expect(
      error?.description
        == "none of 5 clicks was heard: unplug headphones, turn the loudspeaker up (alsamixer), and put the "
        + "microphone next to it")
    for index in take.recording.indices { take.recording[index] *= 50 }
    let loud = #expect(throws: CalibrationError.self) { try Calibration(take, of: score, distance: 0) }
    #expect(loud?.description.hasPrefix("noise of -1") == true)
  }

  @Test("refuses a trim if the delays vary")
  func inconsistent() {
    var room = SimulatedRoom(delay: 0.05)
    room.late = { Double($0) * 0.004 }
    #expect(
      failure(room)
        == "the delay of the clicks varies, from 30.0 to 46.0 ms more than the device reports: close other programs and "
        + "try again; a wireless loudspeaker whose delay keeps changing cannot be trimmed")
  }

  @Test("does not mistake a delay longer than a pause for a shorter one")
  func tooLong() {
    #expect(throws: CalibrationError.self) { try measure(SimulatedRoom(delay: 0.95)) }
  }

  @Test(
    "the clicks stay within full scale and leave room for the longest delay")
  func score48() {
    #expect(score.samples.allSatisfy { abs($0) <= 1 })
    for (onset, next) in zip(score.onsets, score.onsets.dropFirst()) {
      #expect(next - onset > score.longestDelay + score.chirp.frames)
    }
  }
}
