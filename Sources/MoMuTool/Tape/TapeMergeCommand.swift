import ArgumentParser
import MoOSC

/// `momu tape merge`: several tapes as one.
struct TapeMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Make one tape of several.",
    discussion: """
      Every message stands where the tapes' dates say that it was: tapes of several machines, of the same evening, come \
      together as they were played. --together lets all tapes begin at once, whatever their dates. The new tape takes \
      its place when it is whole.
      """)

  @Flag(help: "All begin at once, whatever their dates.")
  var together = false

  @Option(name: [.short, .long], help: ArgumentHelp("The tape to make or replace.", valueName: "OUT"))
  var output: String

  @Argument(help: ArgumentHelp("The tapes, two or more.", valueName: "FILE"))
  var files: [String]

  func validate() throws {
    guard files.count > 1 else { throw ValidationError("merging takes two tapes or more") }
  }

  /// Tapes that lie further apart than that were hardly played together, in nanoseconds.
  private static let farApart: Int64 = 3_600_000_000_000

  func run() throws {
    let tapes = try files.map { try openTape($0) }
    let starts = tapes.map(\.start.nanosecondsSince1970)
    let start = together ? starts[0] : starts.min() ?? 0
    // From a tape's own time to that of the new one, and from its dates to the new one's.
    let delays = together ? starts.map { _ in 0 } : starts.map { $0 - start }
    let shifts = together ? starts.map { start - $0 } : starts.map { _ in 0 }
    let made = try TapeOutput(path: output, startNanosecondsSince1970: start, madeBy: "momu tape merge")
    var sources = tapes.map { SentPackets($0) }
    var waiting: [SentPacket?] = []
    for index in sources.indices { waiting.append(try sources[index].next()) }
    while let (next, time) = Self.first(waiting, delays), let entry = waiting[next] {
      var entry = entry
      entry.packet = entry.packet.shifted(byNanoseconds: shifts[next])
      try made.write(entry, atNanoseconds: time)
      waiting[next] = try sources[next].next()
    }
    for tape in tapes { if let warning = tape.warning { complain(warning) } }
    try made.finish()
    if let latest = delays.max(), latest > Self.farApart {
      complain("their beginnings lie \(tapeSeconds(latest)) apart; with --together all begin at once")
    }
  }

  /// Of which tape the next message is, and when it stands on the new one; of several at once, the first tape's.
  private static func first(_ waiting: [SentPacket?], _ delays: [Int64]) -> (index: Int, time: Int64)? {
    var best: (index: Int, time: Int64)?
    for (index, entry) in waiting.enumerated() {
      guard let entry else { continue }
      let time = entry.nanoseconds + delays[index]
      if best.map({ time < $0.time }) ?? true { best = (index, time) }
    }
    return best
  }
}
