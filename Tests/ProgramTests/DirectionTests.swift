import Glibc
import MoMu
import MoTesting
import Testing

/// Checks tipping to the right (`Docs/Instruments.md`) with a phone, with keys and with a simulated player.
@Suite("Directions in programs")
struct DirectionTests {
  private let folder = Scratch()

  /// A harp whose strings die away before the next one is plucked.
  private static let harp = "play harp --set decay=0.2 --seed 1 --quiet"

  /// The notes of a harp one after the other, as MIDI note numbers, each once.
  private func notes(_ wav: String) throws -> [Int] {
    let buffer = try SoundBuffer("\(folder.path)/\(wav)")
    let samples = (0..<buffer.frames).map { buffer[$0] }
    let size = Int(0.1 * buffer.sampleRate)
    var found: [Int] = []
    for start in stride(from: 0, to: samples.count - size, by: size) {
      let part = samples[start..<start + size]
      guard AudioMeasures.peak(part) > 0.003,
        let pitch = AudioMeasures.pitch(Array(part), sampleRate: buffer.sampleRate, within: 60...1600)
      else { continue }
      let note = Int((69 + 12 * log2(pitch / 440)).rounded())
      if note != found.last { found.append(note) }
    }
    return found
  }

  private func render(_ source: String, seconds: String = "") throws -> [Int] {
    let run = ProgramRun(
      "momu", "\(Self.harp) \(source) --offline --audio wav:'\(folder.path)/a.wav' \(seconds)")
    #expect(run.status == 0, "\(run.text)")
    return try notes("a.wav")
  }

  private func isRising(_ notes: [Int]) -> Bool {
    notes.count >= 5 && zip(notes, notes.dropFirst()).allSatisfy { $0 < $1 }
  }

  @Test(
    "tipping a phone to its right sweeps the harp upwards, to its left downwards, with its app's messages",
    arguments: [
      "touchosc-ios", "touchosc-android", "zigsim-ios", "zigsim-android", "sensors2osc", "sensors2osc-old",
    ])
  func phone(layout: String) throws {
    func tipped(_ way: String) throws -> [Int] {
      let tape = "\(folder.path)/\(way).osc"
      #expect(ProgramRun(shell: "python3 '\(outside("tipped.py"))' '\(tape)' \(layout) \(way)").status == 0)
      return try render("--accel net --net 'tape:\(tape)'")
    }
    let (right, left) = try (tipped("right"), tipped("left"))
    #expect(isRising(right), "\(right)")
    #expect(isRising(left.reversed()), "\(left)")
    #expect((right.first ?? 0) > (left.first ?? 99))
    // Tipping forwards and backwards passes no string.
    #expect(try tipped("up").isEmpty)
  }

  @Test("the first swing of sim:tilt sweeps the harp upwards")
  func simulated() throws {
    let notes = try render("--accel sim:tilt", seconds: "--seconds 1.5")
    #expect(isRising(notes), "\(notes)")
  }

  @Test("typing the right arrow in a terminal sweeps the harp upwards, the left arrow downwards")
  func arrows() throws {
    func typed(_ arrow: String) throws -> [Int] {
      let tape = "\(folder.path)/typed.osc"
      unlink(tape)
      // Five arrows are 50°: from the middle string to the last. Half a second of readings is more than
      // enough.
      let run = ProgramRun(
        shell: "python3 '\(outside("typed.py"))' --until \"test \\$(stat -c %s '\(tape)') -ge 6000\" "
          + "'\(String(repeating: arrow, count: 5))' '\(ProgramRun.folder)/momu' \(Self.harp) --accel keys "
          + "--audio none --record-tape '\(tape)'")
      #expect(run.status == 0, "\(run.text)")
      // At a tenth of the speed, the strings can be told apart.
      return try render("--accel 'tape:\(tape)?speed=0.1'")
    }
    let (right, left) = try (typed("\u{1B}[C"), typed("\u{1B}[D"))
    // Two strings plucked together may look like a third. So only the direction of most steps counts, and
    // the last string.
    func rises(_ notes: [Int]) -> Int { zip(notes, notes.dropFirst()).count { $0 < $1 } }
    #expect((right.last ?? 0) > 72 && rises(right) > 2 * rises(right.reversed()), "\(right)")
    #expect((left.last ?? 99) < 48 && rises(left.reversed()) > 2 * rises(left), "\(left)")
  }
}
