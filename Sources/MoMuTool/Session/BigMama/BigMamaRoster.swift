import MoCore
import MoOrchestra

/// Who moves for Big Mama, which instrument each of them has, and how much they move.
///
/// A plain value: it says what is to be done, and does nothing.
struct BigMamaRoster {
  /// Somebody who plays, and what.
  struct Player: Equatable {
    var member: MemberID
    var name: String
    var instrument: String
    /// How loud it is, 0…1, beside the volume of all players.
    var volume: Float = 1
    var activity: Float = 0
    var heard: HostTime
  }

  /// In the order of their coming.
  private(set) var players: [Player] = []
  /// How many were turned away, since there was no room.
  private(set) var turnedAway = 0
  private let instruments: [String]
  /// What was chosen for players, by their names: a player that comes back has it again.
  var seats: [String: BigMamaAssignment] = [:]

  /// Most who play: the bus has room for the band and for a phone besides.
  static let most = 28
  /// Seconds after which who says nothing counts as still: a gesture may be lost, not fifty.
  static let patience = 1.0

  /// - Parameter instruments: what players are given in turn; at least one.
  init(_ instruments: [String]) { self.instruments = instruments }

  /// Takes in how somebody moves; who comes first is given the instrument that the fewest have, and is in the list.
  ///
  /// - Returns: the player's place; nil where there is no room.
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

  /// Gives a player another instrument, so many places on in a list; its member, nil if there is no such player.
  mutating func setInstrument(ofPlayer place: Int, by step: Int, among all: [String]) -> MemberID? {
    guard players.indices.contains(place), !all.isEmpty else { return nil }
    let old = all.firstIndex(of: players[place].instrument) ?? 0
    players[place].instrument = all[((old + step) % all.count + all.count) % all.count]
    keep(place)
    return players[place].member
  }

  /// Makes a player louder or softer; nil if there is no such player.
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

  /// Lets somebody go; the place that is free.
  mutating func left(_ member: MemberID) -> Int? {
    guard let place = players.firstIndex(where: { $0.member == member }) else { return nil }
    players.remove(at: place)
    return place
  }

  /// How much all move together, 0…1: the mean of those who are here.
  func activity(at now: HostTime) -> Float {
    guard !players.isEmpty else { return 0 }
    return players.reduce(0) { $0 + activity(of: $1, at: now) } / Float(players.count)
  }

  /// How much somebody moves, 0…1.
  func activity(of player: Player, at now: HostTime) -> Float {
    now.seconds(since: player.heard) < Self.patience ? player.activity : 0
  }
}
