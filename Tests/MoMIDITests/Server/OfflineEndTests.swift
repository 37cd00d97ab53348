import MoCore
import MoRuntime
import Testing

@testable import MoMIDI
@testable import MoMu

@Suite("An offline run without --seconds that sends MIDI clock")
struct OfflineEndTests {
  /// Renders a run that sends MIDI clock, and that plays a score of `seconds`, or none; returns the length of the run in
  /// seconds.
  private func length(scoreSeconds: Double?) throws -> Double {
    let run = Run(try RunOptions(arguments: ["--offline"]))
    let clock = try #require(run.frameClock)
    let timeline = Timeline.beginning(at: SessionTime(nanoseconds: 0), tempo: 120, meter: .common, take: 1)
    let beat = BeatClock(alone: timeline)
    try run.input.add(MIDIClockOutput(from: .zero, trim: 0, { beat }, { _, _ in })) { _ in }
    if let scoreSeconds {
      let score = MIDIScore(
        name: "score", [], nanoseconds: Int64(scoreSeconds * 1e9), loops: false, from: .zero,
        deliver: { _, _ in }, ended: { _ in })
      try run.input.add(score) { _ in }
    }
    var blocks = 0
    // No sound is started.
    try OfflineRenderer(run: run, clock: clock, audio: .shared).render(seconds: nil) {
      blocks += 1
      return blocks > 10_000
    }
    return clock.now.seconds(since: .zero)
  }

  @Test("ends two seconds after its MIDI file")
  func ends() throws { #expect(try length(scoreSeconds: 1.5) == 3.5) }

  @Test("is refused if no input ends by itself")
  func refused() {
    #expect(throws: OfflineRenderer.Failure.endless) { try length(scoreSeconds: nil) }
  }
}
