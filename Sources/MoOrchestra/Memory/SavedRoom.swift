import MoMu
import MoSessionCore

/// The room, the identity and the settings that a program saves, so that it can rejoin its room after it was killed.
///
/// They are saved in a text file with the first line `momu-room 1`. Each further line has a keyword and a value, such
/// as `room Lab`. Except for the room, values from the configuration file are not saved, since the next start reads the
/// configuration file again.
package struct SavedRoom: Equatable, Sendable {
  package var room: String
  package var name: String?
  /// The only installation that may conduct; `MemberID.nobody` if all installations may conduct.
  package var only = MemberID.nobody
  package var isHidden = false
  /// The trim of the sound device in milliseconds, and the name of the device (`audio`), as the options `--trim` and
  /// `--audio` gave them; nil without the option.
  package var trim: Double?
  package var audio: String?
  /// The installations whose members are ignored on this machine (`MoSession.ignore`).
  package var ignored: [MemberID] = []
  /// The members' addresses that the user typed.
  package var peers: [String] = []
  /// The program's member ID in the room; `nobody` if an older release wrote the file.
  package var member = MemberID.nobody
  /// The texts that the program stored with `MoSession.keep`, by their names.
  package var kept: [String: String] = [:]
  /// The key of a locked room, from which the passkey cannot be derived; nil for an open room.
  package var key: RoomKey?

  /// The largest number of entries that are saved or read for each of `ignored`, `peers` and `kept`.
  private static let most = 64
  /// The largest size of a text in `kept`, and of the name of such a text, in bytes.
  private static let mostBytes = 80
  private static let version = "momu-room 1"

  package init(room: String) { self.room = room }

  /// The file's text; nil if a value contains a line break or another control character.
  package var text: String? {
    var lines = [Self.version, "room \(room)"]
    if let name { lines.append("name \(name)") }
    if only != .nobody { lines.append("only \(only)") }
    if isHidden { lines.append("hidden ") }
    if let trim { lines.append("trim \(trim)") }
    if let audio { lines.append("audio \(audio)") }
    lines += ignored.prefix(Self.most).map { "ignored \($0)" }
    lines += peers.prefix(Self.most).map { "peer \($0)" }
    if member != .nobody { lines.append("member \(member)") }
    lines += kept.sorted { $0.key < $1.key }.prefix(Self.most).map {
      "keep \(Self.encoded($0.key)) \($0.value)"
    }
    if let key { lines.append("key \(key.stored)") }
    guard lines.allSatisfy({ !$0.unicodeScalars.contains { $0.value < 0x20 } }) else { return nil }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Parses a file's text; nil if it is of another kind or version, cut off, or has invalid values.
  package init?(text: String) {
    guard text.hasPrefix(Self.version + "\n"), text.hasSuffix("\n") else { return nil }
    room = ""
    for line in text.split(separator: "\n").dropFirst() {
      guard let space = line.firstIndex(of: " "),
        parse(line[..<space], String(line[line.index(after: space)...]))
      else { return nil }
    }
    guard (1...100).contains(room.utf8.count), max(ignored.count, peers.count, kept.count) <= Self.most else {
      return nil
    }
  }

  /// Stores a text under a name; nil deletes the text.
  ///
  /// - Returns: false if the text or its name is invalid, or if there are too many texts.
  mutating func keep(_ value: String?, as name: String) -> Bool {
    func isShort(_ text: String) -> Bool {
      (1...Self.mostBytes).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.value < 0x20 }
    }
    guard isShort(name), value.map(isShort) ?? true,
      value == nil || kept[name] != nil || kept.count < Self.most
    else { return false }
    kept[name] = value
    return true
  }

  /// Parses a line with a keyword (`word`) and a value; returns false if the keyword is unknown or the value is
  /// invalid.
  private mutating func parse(_ word: Substring, _ value: String) -> Bool {
    switch word {
    case "room": room = value
    case "name": name = value
    case "hidden": isHidden = true
    case "audio": audio = value
    case "peer": peers.append(value)
    case "key":
      key = RoomKey(stored: value)
      return key != nil
    case "only", "ignored", "member":
      guard let id = MemberID(value) else { return false }
      if word == "only" { only = id } else if word == "member" { member = id } else { ignored.append(id) }
    case "keep":
      guard let space = value.firstIndex(of: " ") else { return false }
      return keep(String(value[value.index(after: space)...]), as: Self.decoded(value[..<space]))
    case "trim":
      guard let number = Double(value), abs(number) <= 1000 else { return false }
      trim = number
    default: return false
    }
    return true
  }

  /// Returns a name as a single word: in the file, a space ends the name.
  private static func encoded(_ name: String) -> String {
    name.replacing("%", with: "%25").replacing(" ", with: "%20")
  }

  private static func decoded(_ word: Substring) -> String {
    String(word.replacing("%20", with: " ").replacing("%25", with: "%"))
  }
}

extension SavedRoom {
  /// Creates the room, the name and the settings for a join.
  ///
  /// A value that the program or the command line gives has precedence over the value that was saved before the program
  /// was killed. If there is neither for the room, the configuration file gives the room; without it, the room is
  /// "MoMu".
  ///
  /// - Parameter before: the state that was saved before the program was killed; nil for none. It is ignored if another
  ///   room is given.
  package init(_ joinOptions: JoinOptions, _ options: RunOptions, after before: SavedRoom?) {
    func given<Value>(_ own: Value?, _ option: String, _ value: Value?) -> Value? {
      own ?? (options.given.contains(option) ? value : nil)
    }
    room = given(joinOptions.room, "room", options.room) ?? before?.room ?? options.room ?? "MoMu"
    let before = before?.room == room ? before : nil
    name = given(joinOptions.name, "name", options.name) ?? before?.name
    only =
      given(nil, "conductor-only", options.conductorOnly.map { MemberID($0) }) ?? before?.only ?? .nobody
    isHidden = joinOptions.isHidden || before?.isHidden == true
    audio = given(nil, "audio", options.audio)
    // Another device has another delay.
    trim = given(nil, "trim", options.trim) ?? (before?.audio == audio ? before?.trim : nil)
    ignored = before?.ignored ?? []
    kept = before?.kept ?? [:]
    peers = joinOptions.peers.isEmpty ? before?.peers ?? [] : joinOptions.peers
    // A passkey that is given now makes a new key, which takes up to a second.
    key = before?.key
  }
}
