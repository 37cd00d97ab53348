/// A key of a console in its help, and the members that may use the key.
package struct ConsoleKey: Sendable {
  package enum Right: Sendable {
    /// Every member may use the key.
    case all
    /// The key needs a running rhythm.
    case playing
    /// The key starts the rhythm, or stops it.
    case start
    /// The key changes the running rhythm; without a conductor, the change takes the baton.
    case rhythm
    /// The key sets gates or leads sections.
    case lead
    /// Only the conductor may use the key.
    case holder
    /// The key takes the baton of a running rhythm, or asks for it.
    case baton
    /// The key follows another part of the room.
    case join
    /// The key sends a text to other members.
    case talk
    /// The key selects a song; while a rhythm runs, it also changes the rhythm.
    case song
  }

  var item: KeyHelp.Item
  var right: Right

  package init(_ key: String, _ does: String, _ right: Right = .all) {
    (item, self.right) = (KeyHelp.Item(key, does), right)
  }

  package init(_ item: KeyHelp.Item, _ right: Right = .all) { (self.item, self.right) = (item, right) }

  /// Returns whether the room accepts the key from this member now.
  func isAccepted(_ facts: RoomFacts) -> Bool {
    let isPlaying = facts.position != nil
    let isFree = facts.mayLead || facts.needsBaton
    // A member that may overrule the conductor must take the baton before it changes the rhythm.
    let mayChange = isPlaying && (facts.isConductor || facts.conductor == nil && isFree)
    switch right {
    case .all: return true
    case .playing: return isPlaying
    case .start: return isPlaying ? mayChange : facts.mayLead
    case .rhythm: return mayChange
    case .lead: return facts.mayLead
    case .join: return facts.membersBeside > 0
    case .holder: return facts.isConductor
    case .baton: return facts.mayAsk || isPlaying && isFree && !facts.isConductor
    case .talk: return !facts.gates.contains(.notes) && facts.cutOff == nil
    case .song: return !isPlaying || mayChange
    }
  }

  /// Returns the help for those of the keys that the room accepts from this member now; without facts, for all keys.
  package static func help(_ keys: [ConsoleKey], _ facts: RoomFacts?) -> KeyHelp {
    KeyHelp(keys.filter { key in facts.map(key.isAccepted) ?? true }.map(\.item))
  }
}
