import MoCore
import MoOrchestra

/// The members that move for Big Mama, their instruments, and their activity.
///
/// A plain value: it returns the actions to take, and takes none.
struct BigMamaRoster {
  /// A player and its instrument.
  struct Player: Equatable {
    var member: MemberID
    var name: String
    var instrument: String
    /// The player's volume, 0…1, which multiplies the volume of all players.
    var volume: Float = 1
    var activity: Float = 0
    var heard: HostTime
  }

  /// The players, in order of arrival.
  private(set) var players: [Player] = []
  /// The number of members that were turned away, since there was no room.
  private(set) var turnedAway = 0
  private let instruments: [String]
  /// The assignments of players by name; a returning player gets its own again.
  var seats: [String: BigMamaAssignment] = [:]

  /// The most players; the bus also has room for the band and a phone.
  static let most = 28
  /// Seconds without a gesture after which a player counts as still; single gestures may be lost, but not all for so
  /// long.
  static let patience = 1.0

  /// - Parameter instruments: the instruments that players get in turn; at least one.
  init(_ instruments: [String]) { self.instruments = instruments }

  /// Records a member's activity; a new member gets its earlier instrument, or else the instrument that the fewest
  /// players have.
  ///
  /// - Returns: the player's place; nil if there is no room.
  mutating func heard(_ member: MemberID, _ name: String, activity: Float?, at now: HostTime) -> Int? {
    if let place = players.firstIndex(where: { $0.member == member }) {
      players[place].heard = now
      players[place].name = name
      if let activity { players[place].activity = activity }
      return place
    }
    guard players.count < Self.most else {
      turnedAway += 1
      return nil
    }
    if let seat = seats[name] {
      var player = Player(member: member, name: name, instrument: seat.instrument, heard: now)
      (player.volume, player.activity) = (seat.volume, activity ?? 0)
      players.append(player)
      return players.count - 1
    }
    let counts = instruments.map { kind in players.count { $0.instrument == kind } }
    let fewest = counts.min() ?? 0
    let kind = counts.firstIndex(of: fewest).map { instruments[$0] } ?? instruments[0]
    players.append(Player(member: member, name: name, instrument: kind, activity: activity ?? 0, heard: now))
    return players.count - 1
  }

  /// Gives a player another instrument, `step` places further in a list.
  ///
  /// - Returns: the player's member; nil if there is no such player.
  mutating func setInstrument(ofPlayer place: Int, by step: Int, among all: [String]) -> MemberID? {
    guard players.indices.contains(place), !all.isEmpty else { return nil }
    let old = all.firstIndex(of: players[place].instrument) ?? 0
    players[place].instrument = all[((old + step) % all.count + all.count) % all.count]
    keep(place)
    return players[place].member
  }

  /// Changes a player's volume; returns nil if there is no such player.
  mutating func setVolume(ofPlayer place: Int, by more: Float) -> Player? {
    guard players.indices.contains(place) else { return nil }
    let twentieths = ((players[place].volume + more) * 20).rounded()
    players[place].volume = max(0, min(twentieths / 20, 1))
    keep(place)
    return players[place]
  }

  private mutating func keep(_ place: Int) {
    let player = players[place]
    guard seats.count < BigMamaAssignment.most || seats[player.name] != nil else { return }
    seats[player.name] = BigMamaAssignment(instrument: player.instrument, volume: player.volume)
  }

  /// Removes a member; returns the place that is free now.
  mutating func left(_ member: MemberID) -> Int? {
    guard let place = players.firstIndex(where: { $0.member == member }) else { return nil }
    players.remove(at: place)
    return place
  }

  /// Returns the activity of all together, 0…1: the mean of the present players.
  func activity(at now: HostTime) -> Float {
    guard !players.isEmpty else { return 0 }
    return players.reduce(0) { $0 + activity(of: $1, at: now) } / Float(players.count)
  }

  /// Returns a player's activity, 0…1.
  func activity(of player: Player, at now: HostTime) -> Float {
    now.seconds(since: player.heard) < Self.patience ? player.activity : 0
  }
}
