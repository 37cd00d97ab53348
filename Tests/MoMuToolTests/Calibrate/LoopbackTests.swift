import MoAudioEngine
import MoCore
import Testing

@testable import MoMuTool

@Suite("Measuring a card with a loopback")
struct LoopbackTests {
  private let score = ClickScore(clicks: 5, sampleRate: 48_000)

  /// Plays the clicks through the audio engine, block by block, as fast as possible.
  private func recorder(_ prepare: (LoopbackCard) -> Void) throws -> ClickRecorder {
    let clock = ManualClock()
    let card = LoopbackCard(clock)
    prepare(card)
    let recorder = ClickRecorder(score)
    let engine = AudioEngine(
      device: card,
      renderer: BlockRenderer(format: card.format, statistics: AudioStatistics()) { recorder.play(&$0) },
      clock: clock)
    try engine.start()
    while !recorder.isDone { engine.cycle() }
    return recorder
  }

  private func measure(_ prepare: (LoopbackCard) -> Void) throws -> Calibration {
    try Calibration(recorder(prepare).recording(), of: score, distance: 0)
  }

  @Test("the trim is the delay that the card does not report", arguments: [0, 1, 480, 4800, 24_000])
  func hidden(frames: Int) throws {
    let found = try measure { $0.hidden = frames }
    #expect(abs(found.trim - Double(frames) / 48) < 0.005)
    // The card reports a delay of three blocks of 256 frames.
    #expect(abs(found.roundTrip - Double(768 + frames) / 48) < 0.005)
    #expect(found.heard == 5)
  }

  @Test(
    "a crystal 100 ppm fast or slow changes the trim by less than 0.02 ms", arguments: [-100.0, 100])
  func crystal(ppm: Double) throws {
    let found = try measure {
      $0.hidden = 960
      $0.ppm = ppm
    }
    #expect(abs(found.trim - 20) < 0.02)
  }

  @Test("noise and position reports up to 5 ms late change the trim by less than 0.3 ms")
  func jitter() throws {
    let found = try measure {
      $0.hidden = 960
      $0.noise = 0.25
      $0.lateness = { $0 &* 2_654_435_761 % 5_000_000 }
    }
    #expect(abs(found.trim - 20) < 0.3)
  }

  @Test("detects a missing microphone long before the clicks end")
  func deaf() throws {
    let recorder = try recorder { $0.hasMicrophone = false }
    #expect(recorder.isDeaf)
    #expect(!recorder.isWhole)
    #expect(try !self.recorder { _ in }.isDeaf)
    let error = #expect(throws: CalibrationError.self) { try recorder.checkHearing("hw:1") }
    #expect(
      error?.description
        == "hw:1 has no microphone: plug one in, or give an output and an input, such as --audio hw:0+hw:1; "
        + "without a microphone, set --trim by ear against another machine")
    #expect(throws: Never.self) { try self.recorder { _ in }.checkHearing("hw:1") }
  }

  @Test("reports a microphone that is unplugged during the clicks")
  func unplugged() throws {
    let recorder = try recorder { $0.unpluggedAfter = Int64(score.samples.count) / 2 }
    #expect(throws: Never.self) { try recorder.checkHearing("hw:1") }
    let error = #expect(throws: CalibrationError.self) { try recorder.recording(from: "hw:1") }
    #expect(
      error?.description
        == "hw:1 was unplugged during the measurement: plug it in again, and leave it alone while momu measures"
    )
    #expect(throws: Never.self) { try self.recorder { _ in }.recording(from: "hw:1") }
  }

  @Test(
    "without a card, says why it needs one; passes on other audio errors")
  func noCard() {
    #expect(
      CalibrationError(.noDevice(name: "default", others: []))?.description
        == "there is no sound card to measure: plug one in (momu calibrate measures the delay of a loudspeaker)"
    )
    #expect(CalibrationError(.noDevice(name: "hw:7", others: ["hw:0"])) == nil)
  }
}
