import MoOrchestra

/// The instrument and the volume of a player, which the player gets again when it returns, also after a restart of Big
/// Mama.
struct BigMamaAssignment: Equatable {
  var instrument: String
  /// The volume, 0…1.
  var volume: Float

  /// The maximum number of players whose assignments are stored.
  static let most = 100

  /// Returns the assignments by the players' names, from lines such as `0.8 harp Ada`; invalid lines are ignored.
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
