import ArgumentParser
import MoOSC

/// `momu tape merge`: merges several tapes into one.
struct TapeMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge several tapes into one.",
    discussion: """
      Each message keeps the time that follows from its tape's date. So tapes of several machines from one evening \
      play together as they were recorded. With --together, all tapes start at the same time, whatever their dates. \
      The new tape appears when it is complete.
      """)

  @Flag(help: "Start all tapes at the same time; ignore their dates.")
  var together = false

  @Option(name: [.short, .long], help: ArgumentHelp("The tape to create or replace.", valueName: "FILE"))
  var output: String

  @Argument(help: ArgumentHelp("The tapes, two or more.", valueName: "FILE"))
  var files: [String]

  func validate() throws {
    guard files.count > 1 else { throw ValidationError("merge needs two tapes or more") }
  }

  /// The largest difference between the start times of tapes that were probably recorded together, in nanoseconds: an
  /// hour.
  private static let farApart: Int64 = 3_600_000_000_000

  func run() throws {
    let tapes = try files.map { try openTape($0) }
    let starts = tapes.map(\.start.nanosecondsSince1970)
    let start = together ? starts[0] : starts.min() ?? 0
    // The delays move each tape's times to the new tape; the shifts move its time tags.
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
    for tape in tapes { if let warning = tape.warning { printDiagnostic(warning) } }
    try made.finish()
    if let latest = delays.max(), latest > Self.farApart {
      printDiagnostic(
        "the tapes start \(tapeSeconds(latest)) apart: to start all at the same time, add --together")
    }
  }

  /// Returns the index of the tape with the earliest waiting packet, and this packet's time on the new tape; nil if no
  /// packet waits.
  ///
  /// If several packets have this time, the index is that of the first of their tapes in the list.
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
