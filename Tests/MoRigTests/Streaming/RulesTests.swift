import Glibc
import MoCore
import MoRig
import MoTesting
import Testing

/// The values that rules send in virtual time, with the times at which they send them.
private struct Sending {
  var rules: StreamRules
  /// Whether the input loop services the rules only after their slack.
  var isLate = false
  var sent: [(time: Double, values: [Float])] = []

  init(rate: Double? = nil, deadBand: Double? = nil, smooth: Double? = nil, again: Double? = nil) {
    rules = StreamRules(.init(rate: rate, deadBand: deadBand, smooth: smooth, again: again))
  }

  mutating func filter(_ value: Float, at seconds: Double) {
    wait(until: seconds)
    if let values = rules.filter([value], at: HostTime(seconds: seconds)) { sent.append((seconds, values)) }
  }

  /// Advances the time like an input loop: from one due time to the next.
  mutating func wait(until seconds: Double) {
    var turns = 0
    while let due = rules.nextTime {
      let next = isLate ? due.advanced(byNanoseconds: rules.slack) : due
      guard next.seconds <= seconds else { return }
      if let values = rules.due(at: next) { sent.append((next.seconds, values)) }
      turns += 1
      guard turns < 100_000 else {
        Issue.record("it never rests")
        return
      }
    }
  }

  var values: [Float] { sent.map { $0.values[0] } }
}

@Suite("Rules for sending readings")
struct RulesTests {
  @Test("sends every reading immediately without rules")
  func all() {
    var sending = Sending()
    for n in 0..<100 { sending.filter(Float(n), at: Double(n) * 0.01) }
    #expect(sending.values == (0..<100).map { Float($0) })
    #expect(sending.rules.nextTime == nil)
  }

  @Test(
    "keeps the average rate, with at most one more message in any second",
    arguments: [1.0, 7, 30, 50, 75, 99, 400], [false, true])
  func rate(_ rate: Double, isLate: Bool) {
    var sending = Sending(rate: rate)
    sending.isLate = isLate
    var random = TestRandom(seed: 5)
    for n in 0..<10_000 {
      sending.filter(Float(n), at: Double(n) * 0.01 + Double.random(in: 0..<0.004, using: &random))
    }
    let expected = min(rate, 100) * 100
    #expect(abs(Double(sending.sent.count) - expected) <= expected * 0.01 + 1)
    let times = sending.sent.map(\.time)
    var first = 0
    for last in times.indices {
      while times[last] - times[first] >= 1 { first += 1 }
      #expect(Double(last - first + 1) <= rate + 1)
    }
  }

  @Test("sends a delayed value when it is due, so a knob turned fast ends at its true value")
  func lastIsSent() {
    var sending = Sending(rate: 10)
    for n in 0...7 { sending.filter(Float(n), at: Double(n) * 0.02) }
    sending.wait(until: 60)
    #expect(sending.values == [0, 5, 7])
    for (time, grid) in zip(sending.sent.map(\.time), [0, 0.1, 0.2]) { #expect(abs(time - grid) <= 0.005) }
    #expect(sending.rules.nextTime == nil)
  }

  @Test(
    "sends every second reading of a stream twice as fast without delay, with jitter under 2.5 ms",
    arguments: [1.0, 10, 25, 50])
  func even(_ rate: Double) {
    var sending = Sending(rate: rate)
    var random = TestRandom(seed: 3)
    var readings: Set<Double> = []
    for n in 0..<20_000 {
      let time = Double(n) * 0.5 / rate + (n == 0 ? 0 : Double.random(in: -0.002...0.002, using: &random))
      readings.insert(time)
      sending.filter(Float(n), at: time)
    }
    #expect(sending.values == stride(from: 0, to: 20_000, by: 2).map { Float($0) })
    #expect(sending.sent.allSatisfy { readings.contains($0.time) })
  }

  @Test("a dead band sends values that leave it, and no noise inside it")
  func deadBand() {
    var sending = Sending(deadBand: 0.5)
    for (n, value) in [Float(0), 0.5, -0.5, 0.51, 0.1, 0, 1.02].enumerated() {
      sending.filter(value, at: Double(n))
    }
    sending.wait(until: 100)
    #expect(sending.values == [0, 0.51, 0, 1.02])
  }

  @Test("a dead band of 0 sends changes only, and sends NaN immediately")
  func changes() {
    var sending = Sending(deadBand: 0)
    for (n, value) in [Float(3), 3, 3, 4, 4, 3, .nan, 3].enumerated() { sending.filter(value, at: Double(n)) }
    #expect(sending.values.map(\.description) == ["3.0", "4.0", "3.0", "nan", "3.0"])
  }

  @Test("smoothing follows a step as 1 - e^(-t/tau), at any polling times")
  func step() {
    var sending = Sending(rate: 37, smooth: 0.3)
    sending.filter(0, at: 0)
    sending.filter(1, at: 1)
    sending.wait(until: 1.69)
    let steps = sending.sent.filter { $0.time > 1 }
    #expect(steps.count > 20)
    for step in steps { #expect(abs(Double(step.values[0]) - (1 - exp(-(step.time - 1) / 0.1))) < 1e-5) }
    sending.wait(until: 100)
    #expect(sending.values.last == 1)
    #expect(sending.rules.nextTime == nil)
  }

  @Test("smoothing does not depend on how often a value is repeated")
  func repetition() {
    var few = Sending(smooth: 0.3)
    var many = Sending(smooth: 0.3)
    for sending in 0..<2 {
      for n in 0...100 where sending == 1 || n % 50 == 0 {
        let value: Float = n < 50 ? 0 : 1
        if sending == 0 {
          few.filter(value, at: Double(n) * 0.01)
        } else {
          many.filter(value, at: Double(n) * 0.01)
        }
      }
    }
    #expect(abs((few.values.last ?? 0) - (many.values.last ?? 1)) < 1e-5)
    #expect(abs((few.values.last ?? 0) - Float(1 - exp(-5.0))) < 1e-5)
  }

  @Test("smoothing recovers from a reading that is NaN")
  func noNumber() {
    var sending = Sending(smooth: 0.3)
    for (n, value) in [Float(1), .nan, .infinity, 2, 2, 2].enumerated() {
      sending.filter(value, at: Double(n) * 0.1)
    }
    sending.wait(until: 10)
    #expect(sending.values.last == 2)
  }

  @Test("a repetition waits for a newer reading if the rate has the same period")
  func againAtRate() {
    var sending = Sending(rate: 1, again: 1)
    for n in 0...1000 { sending.filter(Float(n), at: Double(n) * 0.01) }
    #expect(sending.values == stride(from: 0, through: 1000, by: 100).map { Float($0) })
  }

  @Test("smoothed noise below the dead band sends nothing and schedules no wakeup")
  func rests() {
    var sending = Sending(rate: 50, deadBand: 0.05, smooth: 0.2)
    var random = TestRandom(seed: 1)
    for n in 0..<2000 {
      sending.filter(1 + Float.random(in: -0.1...0.1, using: &random), at: Double(n) * 0.01)
    }
    sending.wait(until: 100)
    #expect(sending.sent.count < 200)
    #expect(sending.rules.nextTime == nil)
  }

  @Test("repeats an unchanged value after the given seconds, counted from the last message")
  func again() {
    var sending = Sending(deadBand: 0.1, again: 10)
    sending.filter(1, at: 0)
    sending.wait(until: 25)
    sending.filter(2, at: 26)
    sending.wait(until: 47)
    #expect(sending.sent.map(\.time) == [0, 10, 20, 26, 36, 46])
    #expect(sending.values == [1, 1, 1, 2, 2, 2])
  }

  @Test("repeats nothing between the loss of the source and the next reading, but sends a delayed value")
  func lost() {
    var sending = Sending(rate: 1, again: 10)
    sending.filter(1, at: 0)
    sending.filter(2, at: 0.5)
    sending.rules.lose()
    sending.wait(until: 100)
    #expect(sending.values == [1, 2])
    sending.filter(3, at: 200)
    sending.wait(until: 215)
    #expect(sending.values == [1, 2, 3, 3])
  }

  @Test("repeats nothing before the first reading")
  func nothing() {
    var sending = Sending(rate: 1, deadBand: 0.1, smooth: 1, again: 10)
    sending.wait(until: 1000)
    #expect(sending.sent.isEmpty)
  }

  @Test("sends about one message for each change in thirty days, with constant memory")
  func month() {
    var sending = StreamRules(.init(rate: 2, deadBand: 0.5, smooth: 0.3, again: 3600))
    var count = 0
    let seconds = 30 * 86_400
    for n in 0..<seconds {
      let now = HostTime(seconds: Double(n))
      while let next = sending.nextTime, next <= now { if sending.due(at: next) != nil { count += 1 } }
      // The value changes each hour.
      if sending.filter([Float(n / 3600)], at: now) != nil { count += 1 }
    }
    #expect((720...2200).contains(count))
    #expect(MemoryLayout<StreamRules>.size < 256)
  }
}

@Suite("Detection of a hung thread")
struct HangWatchTests {
  @Test("a thread without a beat for thirty seconds hangs, a thread with beats does not")
  func hangs() {
    var watch = HangDetector(timeout: 30)
    func hangs(_ beats: Int, _ second: Int) -> Bool {
      watch.hangs(beats: beats, at: HostTime(seconds: Double(second)))
    }
    for second in 0..<1000 { #expect(!hangs(second, second)) }
    for second in 1000..<1029 { #expect(!hangs(999, second)) }
    #expect(hangs(999, 1029))
    #expect(!hangs(1000, 1030))
  }

  @Test("reports no hung thread after the machine was suspended for an hour")
  func slept() {
    var watch = HangDetector(timeout: 30)
    func hangs(_ beats: Int, _ second: Int) -> Bool {
      watch.hangs(beats: beats, at: HostTime(seconds: Double(second)))
    }
    #expect(!hangs(5, 1))
    #expect(!hangs(5, 3600))
    #expect(!hangs(6, 3601))
  }
}
