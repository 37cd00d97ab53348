import MoOrchestra
import MoTime

/// Who moves for Big Mama, which instrument each of them has, and how much they move.
///
/// A plain value: it says what is to be done, and does nothing.
struct BigMamaHouse {
  /// Somebody who plays, and what.
  struct Player: Equatable {
    var member: MemberID
    var name: String
    var instrument: String
    var activity: Float = 0
    var heard: HostTime
  }

  /// In the order of their coming.
  private(set) var players: [Player] = []
  /// How many were turned away, since there was no room.
  private(set) var turnedAway = 0
  private let instruments: [String]

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
    let counts = instruments.map { kind in players.count { $0.instrument == kind } }
    let fewest = counts.min() ?? 0
    let kind = counts.firstIndex(of: fewest).map { instruments[$0] } ?? instruments[0]
    players.append(Player(member: member, name: name, instrument: kind, activity: activity ?? 0, heard: now))
    return players.count - 1
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
