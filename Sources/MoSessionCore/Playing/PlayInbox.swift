import MoTime

/// What has come from one sender, so that each is heard once, and in order.
struct PlayInbox: Sendable {
  private(set) var stream: Int32 = 0
  /// The next that is to be heard.
  private(set) var next: Int32 = 1
  /// What came before its turn.
  private var early: [Int32: PlayLetter] = [:]
  private var values: [(name: String, number: Int32)] = []
  private var gesture: Int32?
  var pace = KnockLimit()

  /// How far ahead of its turn something is kept.
  static let window: Int32 = 64
  /// How far a number may lie behind the newest to be an old one of the same count.
  static let farthest: Int32 = 1 << 15
  /// Most parameters of which it is known what came last.
  static let mostValues = 64
  /// Most that are taken from one sender in a second.
  static let fastest = 400

  /// What can be heard now that this has come.
  mutating func take(_ letter: PlayLetter) -> [PlayLetter] {
    if letter.stream != stream {
      // A stream of before is over; one far away is another count, since anybody may forge a high number.
      guard isNew(letter.stream) else { return [] }
      (stream, next, early) = (letter.stream, letter.first, [:])
    }
    if letter.first > next {
      // Those before were given up; what is kept of them is heard all the same.
      let kept = early.keys.filter { $0 < letter.first }.sorted().compactMap { early.removeValue(forKey: $0) }
      next = letter.first
      return kept + take(letter)
    }
    guard letter.number >= next, letter.number < next &+ Self.window else { return [] }
    early[letter.number] = letter
    var list: [PlayLetter] = []
    while let letter = early.removeValue(forKey: next) {
      list.append(letter)
      next &+= 1
    }
    return list
  }

  /// Whether a stream of that number follows, or has nothing to do with ours.
  private func isNew(_ other: Int32) -> Bool {
    let ahead = other &- stream
    return ahead > 0 || ahead < -Self.farthest
  }

  /// Whether this is the newest of what it says, and not held back on its way.
  mutating func isNewest(_ letter: PlayLetter) -> Bool {
    guard case .change(let change) = letter.play else {
      if let gesture, !Self.isAfter(letter.number, gesture) { return false }
      gesture = letter.number
      return true
    }
    let name = change.fullName
    if let place = values.firstIndex(where: { $0.name == name }) {
      guard Self.isAfter(letter.number, values[place].number) else { return false }
      values[place].number = letter.number
      return true
    }
    guard values.count < Self.mostValues else { return false }
    values.append((name, letter.number))
    return true
  }

  /// Whether a number comes after another, where they are counted round; one far before it is of another count.
  static func isAfter(_ number: Int32, _ other: Int32) -> Bool {
    let ahead = number &- other
    return ahead > 0 || ahead < -farthest
  }
}
