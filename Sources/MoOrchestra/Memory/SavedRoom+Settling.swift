import MoMu
import MoSessionCore

extension SavedRoom {
  /// Where a program joins, and on what terms: what it is given for this run, else what it was killed with, else what
  /// stands for every run.
  ///
  /// - Parameter before: what it was killed with; of no account for who names another room.
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
    // Another device sounds late by another time.
    trim = given(nil, "trim", options.trim) ?? (before?.audio == audio ? before?.trim : nil)
    ignored = before?.ignored ?? []
    kept = before?.kept ?? [:]
    peers = wish.peers.isEmpty ? before?.peers ?? [] : wish.peers
    // Who gives a passkey this time makes a key of it, which takes up to a second.
    key = before?.key
  }
}
