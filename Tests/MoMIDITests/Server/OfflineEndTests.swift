import MoCore
import MoRuntime
import Testing

@testable import MoMIDI
@testable import MoMu

@Suite("An offline run without --seconds that sends MIDI clock")
struct OfflineEndTests {
  private let beat = BeatClock(
    alone: .beginning(at: SessionTime(nanoseconds: 0), tempo: 120, meter: .common, take: 1))

  /// Renders a run that sends MIDI clock, and that plays a score, or none; returns the length of the run in seconds.
  private func length(_ score: sending (any EventSource)?) throws -> Double {
    let run = Run(try RunOptions(arguments: ["--offline"]))
    let clock = try #require(run.frameClock)
    let beat = self.beat
    try run.input.add(MIDIClockOutput(from: .zero, trim: 0, { beat }, { _, _ in })) { _ in }
    if let score { try run.input.add(score) { _ in } }
    var blocks = 0
    // No sound is started.
    try OfflineRenderer(run: run, clock: clock, audio: .shared).render(seconds: nil) {
      blocks += 1
      return blocks > 10_000
    }
    return clock.now.seconds(since: .zero)
  }

  /// Returns a MIDI file of three quarter notes that is played by a beat.
  private func song(by beat: BeatClock) -> MIDIBeatScore {
    MIDIBeatScore(
      name: "song", [], length: 3, from: .zero, beat: { beat }, lead: { 0 }, deliver: { _, _ in },
      ended: { _ in })
  }

  @Test("ends two seconds after its MIDI file")
  func ends() throws {
    let score = MIDIScore(
      name: "score", [], nanoseconds: 1_500_000_000, loops: false, from: .zero, deliver: { _, _ in },
      ended: { _ in })
    #expect(try length(score) == 3.5)
  }

  @Test("ends two seconds after a MIDI file that is played by the room's beat")
  func endsByBeat() throws {
    // The file queries the beat every 5 ms.
    #expect((3.5...3.51).contains(try length(song(by: beat))))
  }

  @Test("is refused if no input ends by itself")
  func refused() {
    #expect(throws: OfflineRenderer.Failure.endless) { try length(nil) }
  }

  @Test("is refused if its MIDI file waits for a rhythm that is not announced")
  func refusedWithoutRhythm() {
    let silence = BeatClock(clock: .alone, timeline: nil)
    #expect(throws: OfflineRenderer.Failure.endless) { try length(song(by: silence)) }
  }
}
