import MoMu
import MoSessionCore

extension SavedRoom {
  /// Creates the room, the name and the settings for a join.
  ///
  /// A value that the program or the command line gives has precedence over the value that was saved before the program
  /// was killed. If there is neither for the room, the configuration file gives the room; without it, the room is
  /// "MoMu".
  ///
  /// - Parameter before: the state that was saved before the program was killed; nil for none. It is ignored if another
  ///   room is given.
  init(_ wish: JoinOptions, _ options: RunOptions, after before: SavedRoom?) {
    func given<Value>(_ own: Value?, _ option: String, _ value: Value?) -> Value? {
      own ?? (options.given.contains(option) ? value : nil)
    }
    room = given(wish.room, "room", options.room) ?? before?.room ?? options.room ?? "MoMu"
    let before = before?.room == room ? before : nil
    name = given(wish.name, "name", options.name) ?? before?.name
    only =
      given(wish.only, "conductor-only", options.conductorOnly.map { MemberID($0) }) ?? before?.only
      ?? .nobody
    isHidden = wish.isHidden || before?.isHidden == true
    audio = given(nil, "audio", options.audio)
    // Another device has another delay.
    trim = given(nil, "trim", options.trim) ?? (before?.audio == audio ? before?.trim : nil)
    ignored = before?.ignored ?? []
    kept = before?.kept ?? [:]
    peers = wish.peers.isEmpty ? before?.peers ?? [] : wish.peers
    // A passkey that is given now makes a new key, which takes up to a second.
    key = before?.key
  }
}
