import MoOrchestra

/// The settings of Big Mama, and their changes by keys.
struct BigMamaSettings: Equatable {
  /// A row of the console: an instrument of the band, or all players.
  enum Row: Int, CaseIterable {
    case drums, bass, guitar, keys, players

    /// The band's parameter that switches the row's instrument on and off; nil for the players, which cannot be
    /// switched.
    var layer: String? { self == .players ? nil : "\(self)" }
    /// The band's parameter for the volume of the row's instrument; nil for the players, which are not in the band.
    var volume: String? {
      switch self {
      case .drums: "drum-volume"
      case .bass: "bass-volume"
      case .guitar: "guitar-volume"
      case .keys: "key-volume"
      case .players: nil
      }
    }
  }

  /// An action that a key causes.
  enum Order: Equatable {
    case set(String, Float)
    case players(Float)
    /// A change of a player's volume: the player's index, and the amount, a multiple of 0.05.
    case player(Int, Float)
    /// A change of a player's instrument: the player's index, and the number of places by which to move in the list.
    case instrument(Int, Int)
    case tempo(Double)
    case startOrStop
    case takeBaton
    case centralise
    case panic
  }

  var style = 0
  var isOn = [true, true, true, true]
  /// The volumes of the rows, 0…1, in the order of `Row`.
  var volumes: [Float] = [0.8, 0.8, 0.7, 0.7, 0.8]
  var chosen = Row.drums
  /// The index of the selected player; nil if the row `chosen` is selected.
  var player: Int?
  /// The number of players that can be selected.
  var playerCount = 0 {
    didSet {
      if let chosen = player, chosen >= playerCount { player = playerCount > 0 ? playerCount - 1 : nil }
    }
  }

  /// Adapts the selection when the player at the index `place` leaves.
  ///
  /// If this player was selected, the row of all players is selected then.
  mutating func removePlayer(at place: Int) {
    guard let selected = player, place <= selected else { return }
    player = place == selected ? nil : selected - 1
  }

  /// Changes the settings by a key; returns the actions that the caller must take.
  mutating func handleKey(_ key: BigMamaKey) -> [Order] {
    switch key {
    case .style(let number):
      guard Style.all.indices.contains(number) else { return [] }
      style = number
      return [.set("style", Float(number))]
    case .layer(let row):
      guard let name = row.layer else { return [] }
      isOn[row.rawValue].toggle()
      return [.set(name, isOn[row.rawValue] ? 1 : 0)]
    case .choose(let step):
      let rows = Row.allCases.count
      let count = rows + playerCount
      let place = ((player.map { rows + $0 } ?? chosen.rawValue) + step + count) % count
      chosen = Row(rawValue: place) ?? .players
      player = place < rows ? nil : place - rows
      return []
    case .instrument(let step): return player.map { [.instrument($0, step)] } ?? []
    case .turn(let step):
      if let player { return [.player(player, Float(step) / 20)] }
      // In twentieths, so that rounding errors do not add up.
      let twentieths = (volumes[chosen.rawValue] * 20).rounded() + Float(step)
      let volume = max(0, min(twentieths / 20, 1))
      volumes[chosen.rawValue] = volume
      return [chosen.volume.map { .set($0, volume) } ?? .players(volume)]
    case .tempo(let more): return [.tempo(more)]
    case .startOrStop: return [.startOrStop]
    case .takeBaton: return [.takeBaton]
    case .centralise: return [.centralise]
    case .panic: return [.panic]
    }
  }
}
