import Glibc
import MoCore
import MoDSP
import MoInstruments
import MoTesting
import Testing

/// Checks the directions in `Docs/Instruments.md`, for every instrument whose pitch follows the tilt.
///
/// Tipping to the right gives higher notes; the top edge up gives a brighter drone.
@Suite("Tipping to the right is higher")
struct DirectionTests {
  /// A knock of 40 ms every half second, from rest.
  private func taps(roll: Double, pitch: Double = 0) -> Tape {
    Tape(seconds: 3) { time in
      let since = (time - 0.5).truncatingRemainder(dividingBy: 0.5)
      return Tape.Pose(pitch: pitch, roll: roll, shake: time > 0.5 && since < 0.04 ? 2 : 0)
    }
  }

  /// Returns the pitch in Hz while the device is held at a tilt and moved as the instrument needs it.
  private func heard(_ name: String, roll: Double, pitch: Double = 0) throws -> Double {
    let isStruck = ["bars", "piano"].contains(name)
    let tape =
      switch name {
      case "harp": Tape.leaning(2.5, pitch: pitch, roll: roll)
      case _ where isStruck: taps(roll: roll, pitch: pitch)
      default: Tape.shaken(3, by: 1, pitch: pitch, roll: roll)
      }
    // A harp's strings die away, so that only the last one sounds.
    let take = try InstrumentRender.take(name, tape, seconds: 3, set: name == "harp" ? ["decay": 0.3] : [:])
    if name == "harp" || name == "piano" { return try #require(lastPitch(take), "\(name) at \(roll)°") }
    // The arpeggio's first note; for the others, the sound once it has settled.
    let frames = name == "arpeggio" ? 26_000..<32_000 : isStruck ? 49_000..<70_000 : 72_000..<96_000
    return try #require(take.pitch(frames, within: 60...1500), "\(name) at \(roll)°")
  }

  /// Returns the pitch of the last tenth of a second that is audible and has a pitch.
  private func lastPitch(_ take: Take) -> Double? {
    let size = 4_800
    for start in stride(from: take.left.count - size, through: 0, by: -size) {
      let part = Array(take.left[start..<start + size])
      guard AudioMeasures.peak(part) > 0.003 else { continue }
      if let pitch = AudioMeasures.pitch(part, sampleRate: InstrumentRender.sampleRate, within: 60...1600) {
        return pitch
      }
    }
    return nil
  }

  @Test(
    "the right edge down plays a higher note, the left edge down a lower one",
    arguments: ["reed", "bars", "piano", "tone", "arpeggio"])
  func higher(name: String) throws {
    let (left, level, right) = try (heard(name, roll: -25), heard(name, roll: 0), heard(name, roll: 25))
    #expect(right > 1.1 * level && level > 1.1 * left, "\(left) \(level) \(right)")
  }

  @Test("a harp plays higher strings the farther it is tipped to the right")
  func harp() throws {
    // Held level, no string is passed.
    let pitches = try [-25.0, -8, 8, 25].map { try heard("harp", roll: $0) }
    #expect(zip(pitches, pitches.dropFirst()).allSatisfy { 1.1 * $0 < $1 }, "\(pitches)")
  }

  @Test(
    "tipping forwards or backwards keeps the note", arguments: ["reed", "bars", "piano", "tone", "arpeggio"])
  func notForth(name: String) throws {
    let (down, up) = try (heard(name, roll: 0, pitch: -25), heard(name, roll: 0, pitch: 25))
    #expect(abs(log2(up / down)) < 0.04, "\(down) \(up)")
  }

  @Test("tipping to either side changes a drone's resonance and spread equally")
  func drone() throws {
    let take = try [-30.0, 30].map { try InstrumentRender.take("drone", .leaning(3, roll: $0), seconds: 3) }
    let end = 96_000..<144_000
    #expect(abs(take[0].level(end) - take[1].level(end)) < 1)
    #expect(abs(log2(take[0].brightness(end) / take[1].brightness(end))) < 0.2)
  }
}
