import MoSessionCore

/// Where one is, as whom and on what terms: what a killed program needs to be back as it was.
///
/// A text file: `momu-room 1`, then a line for each thing, its word first. What comes from the configuration file is
/// not in here, but for the room, since it is there at the next start as well.
struct SavedRoom: Equatable, Sendable {
  var room: String
  var name: String?
  /// The one installation that may conduct; `nobody` for all.
  var only = MemberID.nobody
  var isHidden = false
  /// Milliseconds by which the device sounds too late, and the device.
  var trim: Double?
  var audio: String?
  /// Installations that are not heard.
  var ignored: [MemberID] = []
  /// Addresses that were typed.
  var peers: [String] = []
  /// Who it was there; `nobody` in the record of an older release.
  var member = MemberID.nobody
  /// What the program keeps, such as its instrument, by names without spaces.
  var kept: [String: String] = [:]
  /// What a locked room's datagrams are sealed with; the passkey itself cannot be told from it.
  var key: RoomKey?

  /// More is not kept, nor believed.
  private static let most = 64
  /// Most bytes of something that is kept, and of its name.
  private static let mostBytes = 80
  private static let version = "momu-room 1"

  init(room: String) { self.room = room }

  /// The file's text; nil where a name could not be told from a line's end.
  var text: String? {
    var lines = [Self.version, "room \(room)"]
    if let name { lines.append("name \(name)") }
    if only != .nobody { lines.append("only \(only)") }
    if isHidden { lines.append("hidden ") }
    if let trim { lines.append("trim \(trim)") }
    if let audio { lines.append("audio \(audio)") }
    lines += ignored.prefix(Self.most).map { "ignored \($0)" }
    lines += peers.prefix(Self.most).map { "peer \($0)" }
    if member != .nobody { lines.append("member \(member)") }
    lines += kept.sorted { $0.key < $1.key }.prefix(Self.most).map { "keep \($0.key) \($0.value)" }
    if let key { lines.append("key \(key.kept)") }
    guard lines.allSatisfy({ !$0.unicodeScalars.contains { $0.value < 0x20 } }) else { return nil }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Reads a file's text; nil where it is none, of another version, cut off, or says what cannot be.
  init?(text: String) {
    guard text.hasPrefix(Self.version + "\n"), text.hasSuffix("\n") else { return nil }
    room = ""
    for line in text.split(separator: "\n").dropFirst() {
      guard let space = line.firstIndex(of: " "),
        take(line[..<space], String(line[line.index(after: space)...]))
      else { return nil }
    }
    guard (1...100).contains(room.utf8.count), max(ignored.count, peers.count, kept.count) <= Self.most else {
      return nil
    }
  }

  /// Keeps a text under a name, or takes it back; false where it cannot be kept.
  mutating func keep(_ value: String?, as name: String) -> Bool {
    func isShort(_ text: String) -> Bool {
      (1...Self.mostBytes).contains(text.utf8.count) && !text.unicodeScalars.contains { $0.value < 0x20 }
    }
    guard isShort(name), !name.contains(" "), value.map(isShort) ?? true,
      value == nil || kept[name] != nil || kept.count < Self.most
    else { return false }
    kept[name] = value
    return true
  }

  /// Takes in one line; false where it says what cannot be.
  private mutating func take(_ word: Substring, _ value: String) -> Bool {
    switch word {
    case "room": room = value
    case "name": name = value
    case "hidden": isHidden = true
    case "audio": audio = value
    case "peer": peers.append(value)
    case "key":
      key = RoomKey(kept: value)
      return key != nil
    case "only", "ignored", "member":
      guard let id = MemberID(value) else { return false }
      if word == "only" { only = id } else if word == "member" { member = id } else { ignored.append(id) }
    case "keep":
      guard let space = value.firstIndex(of: " ") else { return false }
      return keep(String(value[value.index(after: space)...]), as: String(value[..<space]))
    case "trim":
      guard let number = Double(value), abs(number) <= 1000 else { return false }
      trim = number
    default: return false
    }
    return true
  }
}
