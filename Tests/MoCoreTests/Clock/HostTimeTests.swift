import MoCore
import Testing

@Suite("Host times")
struct HostTimeTests {
  @Test("the time to a moment ages ago or ahead saturates with the right sign")
  func ages() {
    for now in [HostTime(seconds: 1), HostTime(seconds: -1), .zero, HostTime(seconds: 1e8)] {
      #expect(HostTime.distantPast.nanoseconds(since: now) < -1_000_000_000_000_000_000)
      #expect(HostTime.distantFuture.nanoseconds(since: now) > 1_000_000_000_000_000_000)
      #expect(now.seconds(since: .distantPast) > 1e9)
      #expect(now.seconds(since: .distantFuture) < -1e9)
      #expect(HostTime.distantPast - now < .seconds(-1_000_000_000))
    }
    #expect(HostTime.distantPast.nanoseconds(since: .distantFuture) == .min)
    #expect(HostTime.distantFuture.nanoseconds(since: .distantPast) == .max)
    #expect(HostTime(nanoseconds: 5).nanoseconds(since: HostTime(nanoseconds: 8)) == -3)
  }

  @Test("seconds that are NaN, infinite or larger than a century give a moment")
  func anySeconds() {
    let now = HostTime(seconds: 5)
    #expect(HostTime(seconds: .nan) == .zero && now.advanced(bySeconds: .nan) == now)
    for seconds in [1e10, 1e300, .infinity] {
      #expect(HostTime(seconds: seconds).seconds > 4e9 && HostTime(seconds: -seconds).seconds < -4e9)
      #expect(now.advanced(bySeconds: seconds).seconds > 4e9)
      #expect(now.advanced(bySeconds: -seconds).seconds < -4e9)
    }
    #expect(HostTime(seconds: 1e9).nanoseconds == 1_000_000_000_000_000_000)
  }

  @Test("a time beyond the latest or the earliest moment is that moment")
  func farthest() {
    let (future, past) = (HostTime.distantFuture, HostTime.distantPast)
    #expect(future.advanced(bySeconds: 1) == future && past.advanced(bySeconds: -1) == past)
    #expect(future.advanced(byNanoseconds: 1) == future && past.advanced(byNanoseconds: -1) == past)
    #expect(future + .seconds(1) == future && past + .seconds(-1) == past)
    #expect(future - .seconds(-1) == future && past - .seconds(1) == past)
    #expect(past.advanced(byNanoseconds: .min) == past && HostTime.zero - .nanoseconds(Int64.min) == future)
    #expect(future.advanced(bySeconds: -1).advanced(bySeconds: 1) == future)
  }

  @Test(
    "a duration of more than 292 years has the right sign, and leads to the latest or the earliest moment")
  func longDurations() {
    let now = HostTime(seconds: 5)
    for seconds in [10_000_000_000, 1 << 60, Int64.max] {
      #expect(Duration.seconds(seconds).nanoseconds == .max)
      #expect(Duration.seconds(-seconds).nanoseconds == .min)
      #expect(now + .seconds(seconds) == .distantFuture)
      #expect(now - .seconds(seconds) < .zero)
    }
    #expect(Duration.nanoseconds(Int64.max).nanoseconds == .max)
    #expect(Duration.nanoseconds(Int64.min).nanoseconds == .min)
    #expect((Duration.nanoseconds(Int64.max) + .nanoseconds(1)).nanoseconds == .max)
  }
}
