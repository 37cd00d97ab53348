import Glibc
import MoAudioEngine
import MoCore
import MoTesting
import Synchronization
import Testing

/// Input from a card with its own clock, in virtual time.
@Suite("Input on a second clock")
struct AdaptiveInputTests {
  struct Pair: CustomTestStringConvertible {
    var ppm: Double
    var block: Int
    var isCoarse: Bool
    var lateness = 0.0002
    var load = 0.1
    var seconds = 120.0
    var testDescription: String {
      "\(ppm) ppm, \(block) frames, \(isCoarse ? "coarse" : "precise"), \(lateness * 1000) ms late, \(seconds) s"
    }
  }

  private static func tone(_ frequency: Double) -> (Double) -> Float {
    { time in Float(0.5 * sin(2 * .pi * frequency * (time - time.rounded(.down)))) }
  }

  @Test(
    "keeps a tone's time within 0.1 ms for minutes at any drift, and neither drops nor repeats a frame",
    arguments: [
      Pair(ppm: 0, block: 256, isCoarse: false), Pair(ppm: 20, block: 256, isCoarse: true),
      Pair(ppm: -20, block: 256, isCoarse: false, lateness: 0.001),
      Pair(ppm: 100, block: 256, isCoarse: true, load: 0.5, seconds: 600),
      Pair(ppm: 100, block: 1024, isCoarse: false),
      Pair(ppm: -100, block: 64, isCoarse: false), Pair(ppm: -100, block: 1024, isCoarse: true),
      Pair(ppm: 300, block: 64, isCoarse: true), Pair(ppm: 300, block: 256, isCoarse: false),
      Pair(ppm: -300, block: 1024, isCoarse: false, lateness: 0.001),
    ])
  func drift(pair: Pair) {
    let cards = TwoCards(
      ppm: pair.ppm, block: pair.block, isCoarse: pair.isCoarse, lateness: pair.lateness, load: pair.load,
      sound: Self.tone(1000))
    var meter = PhaseMeter(frequency: 1000, rate: cards.playback.rate)
    cards.receive = { samples, frame, _ in meter.add(samples, at: frame) }
    cards.run(seconds: pair.seconds)
    let report = cards.report
    #expect(cards.playback.xruns + cards.capture.xruns == 0)
    #expect(
      report.resyncs == 0 && report.repeatedFrames == 0 && report.droppedFrames == 0, "\(report)")
    #expect(abs(report.driftPPM - pair.ppm) < 1, "\(report.driftPPM)")
    #expect(meter.offsets.count > Int(pair.seconds * 99))
    // A card that reports its position only every 21 ms is known well after half a minute.
    let jitter = meter.jitter(after: 40)
    #expect(jitter < 0.0001, "\(jitter * 1e6) µs")
    if getenv("MOMU_PRINT_JITTER") != nil {
      print("\(pair.testDescription): \(jitter * 1e6) µs, \(report.driftPPM) ppm")
    }
  }

  @Test("reports the time of the first frame of a block at the microphone, with a constant delay")
  func time() {
    // Its signal is the time itself: a straight line passes through a resampler unchanged.
    let cards = TwoCards(ppm: 100, block: 256) { time in Float((time - 100) / 64) }
    var worst = 0.0
    var ages: [Double] = []
    var silent = 0
    cards.receive = { samples, frame, time in
      let seconds = Double(frame) / 48_000
      guard seconds > 20 else { return }
      guard let time else {
        silent += 1
        return
      }
      worst = max(worst, abs(time.seconds - 100 - 64 * Double(samples[0])))
      ages.append(Double(frame) / cards.playback.rate - (time.seconds - 100))
    }
    cards.run(seconds: 60)
    #expect(silent == 0)
    #expect(ages.count > 7000)
    // A float of 24 bits resolves a time within 64 s to 4 µs.
    #expect(worst < 0.0001, "\(worst * 1e6) µs")
    let spread = (ages.max() ?? 1) - (ages.min() ?? 0)
    #expect(spread < 0.0001, "\(spread * 1e6) µs")
  }

  @Test(
    "follows a clock that jumps by 300 ppm: within 0.1 ms again after 20 s, without a lost frame",
    arguments: [true, false])
  func step(ofInput: Bool) {
    let cards = TwoCards(ppm: 0, block: 256, sound: Self.tone(1000))
    cards.run(seconds: 60)
    (ofInput ? cards.capture : cards.playback).step(toPPM: 350)
    cards.run(seconds: 20)
    var meter = PhaseMeter(frequency: 1000, rate: cards.playback.rate)
    cards.receive = { samples, frame, _ in meter.add(samples, at: frame) }
    cards.run(seconds: 60)
    let report = cards.report
    #expect(abs(report.driftPPM - (ofInput ? 300 : -300)) < 2, "\(report.driftPPM)")
    #expect((1...3).contains(report.resyncs), "\(report)")
    #expect(report.repeatedFrames == 0 && report.droppedFrames == 0, "\(report)")
    #expect(meter.jitter(after: 0) < 0.0001, "\(meter.jitter(after: 0) * 1e6) µs")
  }

  @Test("plays on after an xrun of its card with at most 50 ms of silence, and counts it")
  func captureXrun() {
    let cards = TwoCards(ppm: 100, block: 256, sound: Self.tone(1000))
    cards.run(seconds: 30)
    var quiet = 0
    cards.receive = { samples, _, time in if time == nil { quiet += samples.count } }
    cards.capture.stopByXrun()
    cards.run(seconds: 0.5)
    #expect(quiet > 0 && quiet < 2400, "\(quiet)")
    var meter = PhaseMeter(frequency: 1000, rate: cards.playback.rate)
    cards.receive = { samples, frame, _ in meter.add(samples, at: frame) }
    cards.run(seconds: 30)
    #expect(meter.jitter(after: 2) < 0.0001, "\(meter.jitter(after: 2) * 1e6) µs")
    let report = cards.report
    #expect(report.resyncs == 1 && report.repeatedFrames == quiet && report.droppedFrames == 0, "\(report)")
    #expect(cards.cycle.counts.recoveries == 1)
  }

  @Test("plays on after an xrun of playback with at most 50 ms of silence, and counts it")
  func playbackXrun() {
    let cards = TwoCards(ppm: -100, block: 256, sound: Self.tone(1000))
    cards.run(seconds: 30)
    var quiet = 0
    cards.receive = { samples, _, time in if time == nil { quiet += samples.count } }
    cards.playback.stopByXrun()
    cards.run(seconds: 0.5)
    #expect(quiet < 2400, "\(quiet)")
    cards.run(seconds: 10)
    let report = cards.report
    #expect(report.resyncs == 1 && report.repeatedFrames == quiet && report.droppedFrames == 0, "\(report)")
    #expect(!cards.cycle.isLost)
  }

  @Test("is silent at the start for at most 50 ms")
  func start() {
    for block in [64, 256] {
      let cards = TwoCards(ppm: 100, block: block, sound: Self.tone(1000))
      var quiet = 0
      cards.receive = { samples, _, time in if time == nil { quiet += samples.count } }
      cards.run(seconds: 1)
      #expect(quiet < 2400, "\(block): \(quiet)")
      #expect(cards.report.repeatedFrames == 0 && cards.report.resyncs == 0)
    }
  }

  @Test("reports its clock in the status, with counts of 0 if nothing went wrong")
  func status() {
    let statistics = AudioStatistics()
    #expect(statistics.inputClock == nil)
    statistics.hasInputClock.store(true, ordering: .relaxed)
    let first = InputClockReport(driftPPM: 100, resyncs: 1, repeatedFrames: 512, droppedFrames: 3)
    statistics.add(first, since: InputClockReport())
    // Another device of the same kind counts from 0 again.
    var second = InputClockReport(driftPPM: -20, resyncs: 2)
    second.isFailing = true
    statistics.add(second, since: InputClockReport())
    var total = InputClockReport(driftPPM: -20, resyncs: 3, repeatedFrames: 512, droppedFrames: 3)
    total.isFailing = true
    #expect(statistics.inputClock == total)
  }
}
