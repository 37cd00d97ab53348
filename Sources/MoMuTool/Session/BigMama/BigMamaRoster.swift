import MoCore
import MoOrchestra

/// The members that move for Big Mama, their instruments, and their activity.
///
/// This is a plain value without side effects: the caller applies the results of its methods to the instruments.
struct BigMamaRoster {
  /// A player and its instrument.
  struct Player: Equatable {
    var member: MemberID
    var name: String
    var instrument: String
    /// The player's volume, 0…1, which multiplies the volume of all players.
    var volume: Float = 1
    var activity: Float = 0
    var lastReceived: HostTime
  }

  /// The players, in order of arrival.
  private(set) var players: [Player] = []
  /// The members without an instrument, because there were `most` players already.
  private(set) var turnedAway: Set<MemberID> = []
  private let instruments: [String]
  /// Whether all players get the same instrument, as with `--instrument`.
  private var isUniform: Bool { instruments.count == 1 }
  /// The names of the players whose instruments were changed since the start of the program.
  private var chosen: Set<String> = []
  /// The instruments and volumes that were changed for players, by the players' display names.
  ///
  /// A player that returns gets its earlier instrument and volume again. If all players get the same instrument, only
  /// the volume comes from an earlier start of the program.
  var assignments: [String: BigMamaAssignment] = [:]

  /// The maximum number of players; the bus can play more instruments, so that the band and a phone can play, too.
  static let most = 28
  /// The seconds without a gesture, strike or note after which a player's activity counts as 0.
  ///
  /// The network may lose single gestures; that all gestures of a second are lost is unlikely.
  static let timeout = 1.0

  /// - Parameter instruments: the names of the instruments that are distributed among the players; a single name if all
  ///   players get the same instrument.
  init(_ instruments: [String]) { self.instruments = instruments }

  /// Stores the activity of a member; a new member becomes a player.
  ///
  /// A new player gets the instrument of its earlier assignment or, without an assignment, the instrument that the
  /// fewest players have.
  ///
  /// - Parameter activity: 0…1; nil leaves the activity unchanged.
  /// - Returns: the player's index in `players`; nil if the member is new, but there are `most` players already.
  mutating func recordMessage(from member: MemberID, _ name: String, activity: Float?, at now: HostTime)
    -> Int?
  {
    if let place = players.firstIndex(where: { $0.member == member }) {
      players[place].lastReceived = now
      players[place].name = name
      if let activity { players[place].activity = activity }
      return place
    }
    guard players.count < Self.most else {
      turnedAway.insert(member)
      return nil
    }
    turnedAway.remove(member)
    if let assignment = assignments[name] {
      let instrument = isUniform && !chosen.contains(name) ? instruments[0] : assignment.instrument
      var player = Player(member: member, name: name, instrument: instrument, lastReceived: now)
      (player.volume, player.activity) = (assignment.volume, activity ?? 0)
      players.append(player)
      return players.count - 1
    }
    let counts = instruments.map { kind in players.count { $0.instrument == kind } }
    let fewest = counts.min() ?? 0
    let kind = counts.firstIndex(of: fewest).map { instruments[$0] } ?? instruments[0]
    players.append(
      Player(member: member, name: name, instrument: kind, activity: activity ?? 0, lastReceived: now))
    return players.count - 1
  }

  /// Gives the player at the index `place` the instrument that is `step` places further in the list `all`.
  ///
  /// - Returns: the member that is the player; nil if there is no player at `place`.
  mutating func setInstrument(ofPlayer place: Int, by step: Int, among all: [String]) -> MemberID? {
    guard players.indices.contains(place), !all.isEmpty else { return nil }
    let old = all.firstIndex(of: players[place].instrument) ?? 0
    players[place].instrument = all[((old + step) % all.count + all.count) % all.count]
    chosen.insert(players[place].name)
    store(place)
    return players[place].member
  }

  /// Changes the volume of the player at the index `place` by `more`; the new volume is a multiple of 0.05 in 0…1.
  ///
  /// - Returns: the changed player; nil if there is no player at `place`.
  mutating func setVolume(ofPlayer place: Int, by more: Float) -> Player? {
    guard players.indices.contains(place) else { return nil }
    let twentieths = ((players[place].volume + more) * 20).rounded()
    players[place].volume = max(0, min(twentieths / 20, 1))
    store(place)
    return players[place]
  }

  private mutating func store(_ place: Int) {
    let player = players[place]
    guard assignments.count < BigMamaAssignment.most || assignments[player.name] != nil else { return }
    // The instrument of an earlier start stays stored, for a start without `--instrument`.
    let stored = isUniform && !chosen.contains(player.name) ? assignments[player.name]?.instrument : nil
    assignments[player.name] = BigMamaAssignment(
      instrument: stored ?? player.instrument, volume: player.volume)
  }

  /// Removes a member that has left; returns the player's index before the removal, or nil if the member was no player.
  mutating func left(_ member: MemberID) -> Int? {
    turnedAway.remove(member)
    guard let place = players.firstIndex(where: { $0.member == member }) else { return nil }
    players.remove(at: place)
    return place
  }

  /// Returns the mean activity of all players, 0…1; 0 without players.
  func activity(at now: HostTime) -> Float {
    guard !players.isEmpty else { return 0 }
    return players.reduce(0) { $0 + activity(of: $1, at: now) } / Float(players.count)
  }

  /// Returns a player's activity, 0…1; 0 if no gesture, strike or note of the player has arrived for `timeout`
  /// seconds.
  func activity(of player: Player, at now: HostTime) -> Float {
    now.seconds(since: player.lastReceived) < Self.timeout ? player.activity : 0
  }
}

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
    var assignments: [String: BigMamaAssignment] = [:]
    for line in text.split(separator: "\n").prefix(most) {
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count == 3, let volume = Float(words[0]), (0...1).contains(volume),
        let entry = try? Instruments.named(String(words[1]))
      else { continue }
      assignments[String(words[2])] = BigMamaAssignment(instrument: entry.sheet.name, volume: volume)
    }
    return assignments
  }

  static func text(_ assignments: [String: BigMamaAssignment]) -> String {
    assignments.sorted { $0.key < $1.key }
      .map { "\($0.value.volume) \($0.value.instrument) \($0.key.printable)\n" }.joined()
  }
}
