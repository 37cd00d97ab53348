import ArgumentParser
import MoCore
import MoRuntime
import MoSessionCore
import MoSessionSimulation

/// `momu simulate`: simulates an orchestra in a single program, to show the effect of a network on the orchestra's
/// beat.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Simulate an orchestra, and measure the spread of its beat.",
    discussion: """
      The members run the real protocol. Their clocks run at different rates. The network delays, loses and \
      duplicates packets. The same seed gives the same run. The spread is the largest beat minus the smallest, in \
      milliseconds.
      """)

  @Option(help: ArgumentHelp("Number of members, 1 to 500.", valueName: "N"))
  var members = 8

  @Option(help: ArgumentHelp("wire, good or bad: cables, good or bad Wi-Fi.", valueName: "NETWORK"))
  var network = "good"

  @Option(help: ArgumentHelp("Least delay of a packet, one way.", valueName: "MS"))
  var delay: Double?

  @Option(help: ArgumentHelp("Median of the delay beyond that.", valueName: "MS"))
  var jitter: Double?

  @Option(help: ArgumentHelp("Lost packets, 0 to 90 per cent.", valueName: "PERCENT"))
  var loss: Double?

  @Option(help: ArgumentHelp("Largest error of the clocks, 0 to 400.", valueName: "PPM"))
  var skew = 50.0

  @Option(
    help: ArgumentHelp("Time between departures of members; 0 for never.", valueName: "SECONDS"))
  var churn = 0.0

  // `--seconds` has its own text here, since the time is simulated, and has a limit.
  @Option(help: ArgumentHelp("Simulated time, up to a day.", valueName: "SECONDS"), transform: readSeconds)
  var seconds = 60.0

  @Option(help: .shared("seed")) var seed: UInt64 = 1

  /// The longest simulation: a day, in seconds.
  private static let longest = 86_400.0

  @Flag(help: "Print one JSON object instead of the picture.")
  var json = false

  func validate() throws {
    guard (1...500).contains(members) else { throw ValidationError("--members must be 1 to 500") }
    guard ["wire", "good", "bad"].contains(network) else {
      throw ValidationError("--network must be wire, good or bad")
    }
    guard seconds <= Self.longest else {
      throw ValidationError("--seconds must be at most \(Int(Self.longest)), a day")
    }
    for (name, value, range) in [
      ("delay", delay, 0...10_000.0), ("jitter", jitter, 0...10_000), ("loss", loss, 0...90),
      ("skew", skew, 0...400), ("churn", churn, 0...1e6),
    ] {
      guard let value else { continue }
      guard range.contains(value) else {
        throw ValidationError(
          "--\(name) must be \(rounded(range.lowerBound)) to \(rounded(range.upperBound))")
      }
    }
  }

  func run() throws {
    var simulation = SimulatedRun(
      members: members, network: simulatedNetwork, skew: skew * 1e-6, churn: churn, seconds: seconds,
      seed: seed)
    simulation.play()
    let clocks = "clocks within ± \(rounded(skew)) ppm"
    let report = SimulationReport(
      simulation: simulation,
      setting:
        "\(counted(members, "member")), \(network) network, \(clocks), \(rounded(seconds)) s, seed \(seed)")
    show(json ? report.json : report.text)
  }

  private var simulatedNetwork: SimulatedNetwork {
    var chosen: SimulatedNetwork =
      switch network {
      case "wire": .wire
      case "bad": .badWiFi
      default: .goodWiFi
      }
    if let delay { chosen.floor = delay * 1e-3 }
    if let jitter { chosen.queue = jitter * 1e-3 }
    if let loss { chosen.loss = loss * 1e-2 }
    return chosen
  }
}
