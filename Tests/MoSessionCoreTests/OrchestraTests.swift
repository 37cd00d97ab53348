import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

/// Goals for a shared beat of eight players on three networks, with clocks up to 50 ppm wrong.
struct SyncGoal: CustomTestStringConvertible, Sendable {
  var name: String
  var network: SimulatedNetwork
  /// The limit of the beat's spread across all members, from 10 s after the last one joined, in milliseconds.
  var p95: Double
  var most: Double
  /// The seconds after which a newcomer must be this close to the others, in milliseconds.
  var arrival: (seconds: Double, milliseconds: Double)

  var testDescription: String { name }
}

@Suite("Players on a simulated network")
struct OrchestraTests {
  static let goals = [
    SyncGoal(name: "wire", network: .wire, p95: 0.05, most: 0.2, arrival: (1, 1)),
    SyncGoal(name: "good Wi-Fi", network: .goodWiFi, p95: 0.15, most: .infinity, arrival: (1, 1)),
    SyncGoal(name: "bad Wi-Fi", network: .badWiFi, p95: 0.6, most: .infinity, arrival: (2, 3)),
  ]

  @Test("eight players keep one beat for two minutes", arguments: goals, [1, 2, 3] as [UInt64])
  func spread(goal: SyncGoal, seed: UInt64) throws {
    var orchestra = VirtualOrchestra(count: 8, network: goal.network, seed: seed)
    for index in 0..<8 {
      let joined = orchestra.seconds
      orchestra.join(index)
      if index == 0 {
        orchestra.run(to: 0.6)
        _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.start(.init(), now: now) }
        orchestra.run(to: 2)
      } else {
        orchestra.run(to: joined + goal.arrival.seconds)
        let spread = try #require(orchestra.spread(of: 0...index))
        #expect(spread < goal.arrival.milliseconds, "player \(index + 1)")
      }
    }
    let start = orchestra.seconds + 10
    var spreads: [Double] = []
    for step in 0..<12_000 {
      orchestra.run(to: start + Double(step) * 0.01)
      spreads.append(try #require(orchestra.spread(of: 0...7)))
    }
    spreads.sort()
    #expect(spreads[spreads.count * 95 / 100] <= goal.p95)
    #expect(spreads.last! <= goal.most)
    for member in orchestra.members.dropFirst() {
      // A member that only keeps time, its joining included.
      #expect(Double(member.sent.datagrams) / orchestra.seconds < 25)
      #expect(Double(member.sent.toAll) / orchestra.seconds < 1.1)
    }
  }

  @Test(
    "forty players are within 0.1 ms in the first minute, and no member then sends more than 28 packets a second",
    arguments: [1, 2] as [UInt64])
  func forty(seed: UInt64) throws {
    var orchestra = VirtualOrchestra(count: 40, network: .goodWiFi, seed: seed)
    for index in 0..<40 {
      orchestra.join(index)
      orchestra.pass(index == 0 ? 0.6 : 0.3)
    }
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.start(.init(), now: now) }
    orchestra.pass(3)
    var spreads: [Double] = []
    for _ in 0..<600 {
      orchestra.pass(0.1)
      spreads.append(try #require(orchestra.spread(of: 0...39)))
    }
    spreads.sort()
    #expect(spreads[spreads.count * 95 / 100] <= 0.1)
    let before = orchestra.members.map(\.sent.datagrams)
    orchestra.pass(20)
    for (member, before) in zip(orchestra.members, before) {
      #expect(member.sent.datagrams - before <= 20 * 28)
    }
  }
}

extension VirtualOrchestra {
  /// Returns the spread of some members' beats in milliseconds at 120 beats per minute; nil if a member has none.
  func spread(of range: ClosedRange<Int>) -> Double? {
    let beats = members[range].compactMap { $0.beat(atNanoseconds: now) }
    guard beats.count == range.count, let least = beats.min(), let most = beats.max() else { return nil }
    return (most - least) * 500
  }
}
