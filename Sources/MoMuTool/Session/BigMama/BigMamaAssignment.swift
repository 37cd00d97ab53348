import MoOrchestra

/// What Big Mama has chosen for a player: kept for the player's return, and for the program's next start.
struct BigMamaAssignment: Equatable {
  var instrument: String
  /// 0…1.
  var volume: Float

  /// Most players whose seats are kept.
  static let most = 100

  /// Seats as lines of a file: `0.8 harp Ada`; a line that is none is left out.
  static func read(_ text: String) -> [String: BigMamaAssignment] {
    var seats: [String: BigMamaAssignment] = [:]
    for line in text.split(separator: "\n").prefix(most) {
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count == 3, let volume = Float(words[0]), (0...1).contains(volume),
        let entry = try? Instruments.named(String(words[1]))
      else { continue }
      seats[String(words[2])] = BigMamaAssignment(instrument: entry.sheet.name, volume: volume)
    }
    return seats
  }

  static func text(_ seats: [String: BigMamaAssignment]) -> String {
    seats.sorted { $0.key < $1.key }
      .map { "\($0.value.volume) \($0.value.instrument) \($0.key.printable)\n" }.joined()
  }
}
