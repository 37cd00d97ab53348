import MoCore
import MoSessionCore
import Testing

@Suite("Programs that follow the beat")
struct FollowersTests {
  /// Followers that an expectation may use.
  private final class List {
    private var followers = Followers()

    var count: Int { followers.count }
    var next: HostTime { followers.next }
    func add(_ index: Int, at now: HostTime) -> Bool { followers.add(endpoint(index), now: now) }
    func due(at now: HostTime) -> [SessionEndpoint] { followers.popDue(at: now) }
    func shift(by nanoseconds: Int64) { followers.shift(by: nanoseconds) }
    func endpoint(_ index: Int) -> SessionEndpoint {
      SessionEndpoint(high: UInt64(0x0A00_0001 + index) << 32, port: 7000)
    }
  }

  @Test("followers receive the beat every 50 ms for ten seconds after a request, even with a clock step")
  func lease() {
    let followers = List()
    #expect(followers.next == .distantFuture)
    let start = HostTime(seconds: 100)
    #expect(followers.add(0, at: start))
    let steps = (0..<1200).map { start.advanced(bySeconds: Double($0) * 0.01) }
    #expect(steps.count { !followers.due(at: $0).isEmpty } == 200)
    #expect(followers.count == 0)
    #expect(followers.add(0, at: start))
    followers.shift(by: 60_000_000_000)
    #expect(followers.due(at: start.advanced(bySeconds: 59)).isEmpty)
    #expect(followers.due(at: start.advanced(bySeconds: 69)) == [followers.endpoint(0)])
  }

  @Test("followers are sixteen at most, and present ones may renew their requests")
  func bound() {
    let followers = List()
    for index in 0..<16 { #expect(followers.add(index, at: .zero)) }
    #expect(!followers.add(16, at: .zero))
    #expect(followers.add(3, at: .zero))
  }
}
