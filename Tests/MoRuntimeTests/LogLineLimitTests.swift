import MoCore
import MoRuntime
import Testing

@Suite("The limit of the log's lines about a state")
struct LogLineLimitTests {
  /// A limit whose ninth line was logged at 9 s.
  private var muted: LogLineLimit {
    var limit = LogLineLimit()
    for second in 1...9 {
      #expect(line(&limit, "away", Double(second)) != nil)
    }
    return limit
  }

  private func line(_ limit: inout LogLineLimit, _ text: String, _ seconds: Double) -> String? {
    limit.line(.notice, text, about: "it", now: HostTime(seconds: seconds))?.1
  }

  @Test("has work to do at the end of the hour only if a line was suppressed")
  func nextTime() {
    var limit = muted
    #expect(limit.nextTime == nil)
    #expect(line(&limit, "back", 10) == nil)
    #expect(limit.nextTime == HostTime(seconds: 3609))
    #expect(limit.summary(now: HostTime(seconds: 3608)) == nil)
    #expect(limit.summary(now: HostTime(seconds: 3609)) != nil)
    #expect(limit.nextTime == nil && limit.summary(now: HostTime(seconds: 3610)) == nil)
  }

  @Test("logs a change as usual if the hour before it had none")
  func later() {
    var limit = muted
    #expect(line(&limit, "back", 86_400) == "back")
  }

  @Test("includes a change in a summary that is due")
  func due() {
    var limit = muted
    #expect(line(&limit, "back", 10) == nil)
    #expect(line(&limit, "away", 4000) == "it changed 2 more times in the last hour; the last change: away")
    #expect(line(&limit, "back", 4001) == "back")
  }
}
