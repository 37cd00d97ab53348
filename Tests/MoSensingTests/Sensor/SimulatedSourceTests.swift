import MoCore
import MoSensing
import Testing

@Suite("Simulated players")
struct SimulatedSourceTests {
  private func player(start: Int64) -> SimulatedSource<Button> {
    SimulatedSource(
      "nothing", start: HostTime(nanoseconds: start), deliver: { _ in }, readings: { _, _ in [] })
  }

  @Test(
    "players that start at different times play at the same moments",
    arguments: [0, 1, 3_000_000, 9_999_999, 10_000_000, 86_400_123_456_789])
  func oneGrid(_ start: Int64) throws {
    let player = player(start: start)
    for _ in 0..<5 {
      let next = try #require(player.nextTime)
      #expect(next.nanoseconds % 10_000_000 == 0)
      player.service(until: next)
    }
    let first = try #require(self.player(start: start).nextTime)
    #expect((0..<10_000_000).contains(first.nanoseconds - start))
  }
}
