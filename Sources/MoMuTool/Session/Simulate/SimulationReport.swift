import Glibc
import MoSessionCore
import MoSessionSimulation

/// The results of a simulated run, as text for people and as JSON for programs.
struct SimulationReport {
  let simulation: SimulatedRun
  /// The options of the run as text, such as `8 members, good network, clocks within ± 50.0 ppm, 60.0 s, seed 1`.
  let setting: String

  private var members: Int { simulation.orchestra.members.count }

  // MARK: figures

  private func spread(_ share: Double) -> Double { quantile(simulation.spreads, share) }

  /// The seconds from a member's arrival until its beat agreed with the others' beats, in ascending order; arrivals
  /// without agreement are left out.
  private var joining: [Double] { simulation.arrivals.compactMap(\.seconds).sorted() }

  /// The number of arrived members whose beats did not yet agree with the others' beats when the run ended.
  private var never: Int { simulation.arrivals.count { $0.isUnderWay } }

  /// The packets per second that each member sent, in ascending order.
  private var packets: [Double] { rates { Double($0.sent.datagrams) }.sorted() }

  private func rates(_ count: (VirtualMember) -> Double) -> [Double] {
    zip(simulation.orchestra.members, simulation.presence).map { count($0) / max($1, 0.01) }
  }

  /// The bytes per second of the busiest member: the bytes that the member sent plus the bytes that it received.
  private var bytes: Double { rates { Double($0.sent.bytes + $0.received.bytes) }.max() ?? 0 }
  /// The largest number of multicast packets per second that any member sent.
  private var multicasts: Double { rates { Double($0.sent.toAll) }.max() ?? 0 }

  private func quantile(_ sorted: [Double], _ share: Double) -> Double {
    sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  // MARK: for people

  var text: String {
    let indent = String(repeating: " ", count: 10)
    let column = rounded(simulation.length / Double(SimulatedRun.stretches))
    var lines = ["\(setting)"]
    lines.append(
      "spread    half \(rounded(spread(0.5))) ms, 95 % \(rounded(spread(0.95))) ms, most "
        + "\(rounded(spread(1))) ms")
    lines.append("\(indent)\(BarChart.logarithmic(simulation.spreadByStretch, from: 0.01, to: 10))")
    lines.append("\(indent)the largest of each \(column) s: ▁ up to 0.01 ms … █ from 10 ms on")
    if !simulation.arrivals.isEmpty {
      let slowest = joining.last.map { "half \(rounded(quantile(joining, 0.5))) s, slowest \(rounded($0)) s" }
      lines.append(
        "joining   within 1 ms of the others after: \(slowest ?? "–"); "
          + "not at the end: \(never) of \(simulation.arrivals.count)")
      lines.append("\(indent)\(BarChart.linear(histogram))")
      lines.append(
        "\(indent)newcomers by this time, 0 … 2 s; a column is 0.1 s, the last is for longer times")
    }
    lines.append(
      "traffic   \(rounded(quantile(packets, 0.5))) packets a second sent by the median member, "
        + "\(rounded(packets.last ?? 0)) by the busiest; at most \(rounded(multicasts)) multicast, "
        + "\(rounded(bytes * 1e-3)) kB/s in both directions")
    lines.append("\(indent)\(BarChart.linear(simulation.traffic))")
    lines.append("\(indent)packets of all members, █ is \(rounded(simulation.traffic.max() ?? 0)) a second")
    return lines.joined(separator: "\n") + "\n"
  }

  /// A histogram of the seconds from a member's arrival until its beat agreed with the others' beats.
  ///
  /// It has 20 counts of arrivals, each for a range of 0.1 s, and a last count for agreement after 2 s or never.
  private var histogram: [Double] {
    var counts = [Double](repeating: 0, count: 21)
    for seconds in joining { counts[min(20, Int(seconds * 10))] += 1 }
    counts[20] += Double(never)
    return counts
  }

  // MARK: for programs

  var json: String {
    JSONValue.object([
      ("members", .number(Double(members))), ("seconds", .number(simulation.length)),
      ("p50_ms", .number(spread(0.5))), ("p95_ms", .number(spread(0.95))), ("max_ms", .number(spread(1))),
      ("course_ms", .list(simulation.spreadByStretch.map { .number($0) })),
      ("join_p50_s", .number(joining.isEmpty ? .nan : quantile(joining, 0.5))),
      ("join_max_s", .number(joining.last ?? .nan)), ("join_never", .integer(Int64(never))),
      ("packets_median", .number(quantile(packets, 0.5))), ("packets_busiest", .number(packets.last ?? 0)),
      ("multicasts_busiest", .number(multicasts)), ("bytes_busiest", .number(bytes)),
    ]).description + "\n"
  }
}

/// Charts of numbers: a row of the characters `▁` to `█`, a character for each number.
enum BarChart {
  private static let bars = Array("▁▂▃▄▅▆▇█")

  /// Returns the numbers as bars on a linear scale, from 0 (a space) to the largest number (`█`).
  static func linear(_ numbers: [Double]) -> String {
    let most = numbers.max() ?? 0
    return String(
      numbers.map { $0 <= 0 || most <= 0 ? " " : bars[min(bars.count - 1, Int($0 / most * 8))] })
  }

  /// Returns the numbers as bars on a logarithmic scale: `▁` for numbers below `least`, `█` for numbers from `most` on.
  static func logarithmic(_ numbers: [Double], from least: Double, to most: Double) -> String {
    var ratio = most / least
    // The sixth root, since seven limits separate eight bars.
    ratio = exp(log(ratio) / Double(bars.count - 2))
    return String(
      numbers.map { number in
        var (level, limit) = (0, least)
        while level < bars.count - 1, number >= limit {
          level += 1
          limit *= ratio
        }
        return bars[level]
      })
  }
}
