import MoSessionCore
import MoTime

/// One run of a virtual orchestra, and what was measured.
struct Rehearsal {
  private var orchestra: VirtualOrchestra
  private let seconds: Double
  private let churn: Double
  private var nextLoss: Double
  private var victim = 0
  private var missing: (member: Int, until: Double)?
  /// The spread in milliseconds every 10 ms, from 10 s after the last has come.
  private var spreads: [Double] = []
  /// The largest spread of every stretch of the run, from its start.
  private var course: [Double] = []

  private static let stretches = 60
  /// Members come so many seconds apart, but all within ten.
  private static let pause = 0.5
  /// What is heard of the spread at the start is not counted, so long (s).
  private static let settling = 10.0

  init(members: Int, network: SimulatedNetwork, skew: Double, churn: Double, seconds: Double, seed: UInt64) {
    orchestra = VirtualOrchestra(count: members, network: network, skew: skew, seed: seed)
    (self.churn, self.seconds) = (churn, seconds)
    nextLoss = churn > 0 ? churn : .infinity
  }

  mutating func play() {
    let count = orchestra.members.count
    let pause = min(Self.pause, 10 / Double(count))
    for index in 0..<count {
      orchestra.join(index)
      orchestra.run(to: orchestra.seconds + (index == 0 ? 0.6 : pause))
      if index == 0 {
        _ = try? orchestra.act(0) { core, now throws(SessionRefusal) in try core.start(.init(), now: now) }
      }
    }
    let start = orchestra.seconds
    for step in 0..<Int(seconds * 100) {
      let time = start + Double(step) * 0.01
      orchestra.run(to: time)
      loseOne(at: time - start)
      guard let spread = spread(at: time) else { continue }
      if time - start >= min(Self.settling, seconds / 2) { spreads.append(spread) }
      let stretch = step * Self.stretches / max(1, Int(seconds * 100))
      while course.count <= stretch { course.append(0) }
      course[stretch] = max(course[stretch], spread)
    }
    spreads.sort()
  }

  /// Lets members vanish and come back after 3 s, in turn, the conductor too.
  private mutating func loseOne(at time: Double) {
    if let missing, time >= missing.until {
      orchestra.join(missing.member)
      self.missing = nil
    }
    guard time >= nextLoss, missing == nil, orchestra.members.count > 1 else { return }
    nextLoss = time + churn
    orchestra.crash(victim)
    missing = (victim, time + 3)
    victim = (victim + 1) % orchestra.members.count
  }

  /// The largest beat less the smallest, in milliseconds; newcomers count from 2 s after they came.
  private func spread(at time: Double) -> Double? {
    var beats: [Double] = []
    var tempo = 120.0
    for member in orchestra.members {
      guard let core = member.core, core.base != nil, let beat = member.beat(atNanoseconds: orchestra.now)
      else {
        continue
      }
      guard let joined = member.joinedAt, time - joined > 2 || beats.isEmpty else { continue }
      tempo = member.tempo(atNanoseconds: orchestra.now) ?? tempo
      beats.append(beat)
    }
    guard let least = beats.min(), let most = beats.max() else { return nil }
    return (most - least) * 60_000 / tempo
  }

  private func percentile(_ share: Double) -> Double {
    spreads.isEmpty ? 0 : spreads[min(spreads.count - 1, Int(Double(spreads.count) * share))]
  }

  private var packets: [Double] { orchestra.members.map { Double($0.sent.datagrams) / orchestra.seconds } }

  var text: String {
    let busiest = packets.max() ?? 0
    let usual = packets.sorted()[packets.count / 2]
    return """
      \(orchestra.members.count) members, \(rounded(seconds)) s, seed repeats it
      spread   half \(rounded(percentile(0.5))) ms   95 % \(rounded(percentile(0.95))) ms   most \(rounded(spreads.last ?? 0)) ms
      course   \(plot)
      packets  \(rounded(usual)) a second sent by most, \(rounded(busiest)) by the busiest

      """
  }

  /// The course of the spread: a bar a stretch, from 0.01 ms or less (▁) to 10 ms or more (█).
  private var plot: String {
    let bars = Array("▁▂▃▄▅▆▇█")
    return String(
      course.map { spread in
        var level = 0
        var limit = 0.02
        while level < bars.count - 1 && spread > limit {
          level += 1
          limit *= 2.5
        }
        return bars[level]
      })
  }

  var json: String {
    JSONValue.object([
      ("members", .number(Double(orchestra.members.count))), ("seconds", .number(seconds)),
      ("p50_ms", .number(percentile(0.5))), ("p95_ms", .number(percentile(0.95))),
      ("max_ms", .number(spreads.last ?? 0)), ("packets_busiest", .number(packets.max() ?? 0)),
    ]).description
  }
}
