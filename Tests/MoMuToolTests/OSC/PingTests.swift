import MoCore
import Testing

@testable import MoMuTool

@Suite("Round trips and rates")
struct PingTests {
  @Test("the summary's figures match the round trips")
  func summary() {
    var statistics = PingStatistics()
    for trip in [1.5, 1.7, 2.5, 1.1, 30] {
      statistics.send()
      statistics.receive(trip / 1_000)
    }
    statistics.send()
    #expect(
      statistics.summary == """
        6 sent, 5 answered, 1 lost (16.7 %)
        round trip  least 1.10 ms, median 1.70 ms, 95 % 30.0 ms, most 30.0 ms
        jitter      7.83 ms from one to the next
            1–2 ms  ████████████████████████████████████████ 3
            2–5 ms  █████████████ 1
           5–10 ms   0
          10–20 ms   0
          20–50 ms  █████████████ 1

        """)
  }

  @Test("without answers, the summary has no figures")
  func silence() {
    var statistics = PingStatistics()
    statistics.send()
    #expect(statistics.summary == "1 sent, 0 answered, 1 lost (100 %)\n")
    #expect(PingStatistics().summary == "0 sent, 0 answered, 0 lost (0 %)\n")
  }

  @Test("longer round trips have higher bars", arguments: zip([0.00005, 0.0002, 0.002, 0.05, 5], "▁▂▄▇█"))
  func bars(seconds: Double, bar: Character) { #expect(PingPlot.bar(seconds) == bar) }

  @Test("each range of round trips has a row, from the fastest to the slowest")
  func ranges() {
    let rows = PingPlot.histogram([0.000_001, 0.000_03, 9]).split(separator: "\n")
    #expect(rows.first == "  under 0.01 ms  ████████████████████████████████████████ 1")
    #expect(rows.dropFirst(2).first == "   0.02–0.05 ms  ████████████████████████████████████████ 1")
    #expect(rows.last == "   over 5000 ms  ████████████████████████████████████████ 1")
  }

  @Test("a rate averages the latest messages and starts again after a pause")
  func rate() {
    var meter = RateMeter()
    let source = RateMeter.Source(sender: "a", address: "/x")
    #expect(meter.rate(of: source, at: HostTime(seconds: 0)) == nil)
    for step in 1...40 {
      let rate = meter.rate(of: source, at: HostTime(seconds: Double(step) * 0.01))
      #expect(rate.map { abs($0 - 100) < 1e-6 } == true)
    }
    #expect(meter.rate(of: source, at: HostTime(seconds: 10)) == nil)
    #expect(meter.rate(of: .init(sender: "b", address: "/x"), at: HostTime(seconds: 10)) == nil)
  }

  @Test(
    "numbers are rounded to three significant digits",
    arguments: [
      (0.0, "0"), (0.123_4, "0.123"), (1.234, "1.23"), (12.34, "12.3"), (-1.5, "-1.50"), (1_234, "1234"),
    ])
  func digits(number: Double, text: String) { #expect(rounded(number) == text) }
}
