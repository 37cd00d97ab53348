import ArgumentParser
import MoCore
import MoRuntime
import MoSessionCore
import MoSessionSimulation

/// `momu simulate`: runs an orchestra in one program, to show the effect of a network on its beat.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Play a virtual orchestra, and measure how far its beats lie apart.",
    discussion: """
      The members run the real protocol on clocks that run apart, in a network that delays, loses and doubles. It \
      repeats with the seed. The spread is the largest beat less the smallest, in milliseconds.
      """)

  @Option(help: ArgumentHelp("How many members, 1 to 500.", valueName: "N"))
  var members = 8

  @Option(help: ArgumentHelp("wire, good or bad: cables, good or bad Wi-Fi.", valueName: "NETWORK"))
  var network = "good"

  @Option(help: ArgumentHelp("Least milliseconds a packet takes one way.", valueName: "MS"))
  var delay: Double?

  @Option(help: ArgumentHelp("Milliseconds it takes beyond that, in the middle case.", valueName: "MS"))
  var jitter: Double?

  @Option(help: ArgumentHelp("Per cent of packets that are lost, 0 to 90.", valueName: "PERCENT"))
  var loss: Double?

  @Option(help: ArgumentHelp("Clocks are wrong by up to so many millionths.", valueName: "PPM"))
  var skew = 50.0

  @Option(
    help: ArgumentHelp("Seconds between a member's vanishing and the next's; 0 for never.", valueName: "S"))
  var churn = 0.0

  @Option(help: ArgumentHelp("Seconds to play, up to a day.", valueName: "S"), transform: readSeconds)
  var seconds = 60.0

  @Option(help: ArgumentHelp("What chance follows from.", valueName: "N"))
  var seed: UInt64 = 1

  /// A day, in seconds.
  private static let longest = 86_400.0

  @Flag(help: "Print one JSON object instead of the picture.")
  var json = false

  func validate() throws {
    guard (1...500).contains(members) else { throw ValidationError("--members is 1 to 500") }
    guard ["wire", "good", "bad"].contains(network) else {
      throw ValidationError("--network is wire, good or bad")
    }
    guard seconds <= Self.longest else {
      throw ValidationError("--seconds is at most \(Int(Self.longest)), a day")
    }
    for (name, value, range) in [
      ("delay", delay, 0...10_000.0), ("jitter", jitter, 0...10_000), ("loss", loss, 0...90),
      ("skew", skew, 0...400), ("churn", churn, 0...1e6),
    ] {
      guard let value else { continue }
      guard range.contains(value) else {
        throw ValidationError("--\(name) is \(rounded(range.lowerBound)) to \(rounded(range.upperBound))")
      }
    }
  }

  func run() throws {
    var rehearsal = Rehearsal(
      members: members, network: weather, skew: skew * 1e-6, churn: churn, seconds: seconds, seed: seed)
    rehearsal.play()
    let clocks = "clocks within ± \(rounded(skew)) ppm"
    let report = RehearsalReport(
      rehearsal: rehearsal,
      setting:
        "\(counted(members, "member")), \(network) network, \(clocks), \(rounded(seconds)) s, seed \(seed)")
    show(json ? report.json : report.text)
  }

  private var weather: SimulatedNetwork {
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
