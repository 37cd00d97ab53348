/// A cache of the parsed targets that a program has used, by their text; at 256 targets, it is emptied.
struct NetTargets {
  private var all: [String: NetTarget] = [:]
  /// The last used target with a single known address, since a program's next message usually goes to the same target.
  private var latest: (text: String, address: NetAddress)?

  private static let most = 256

  /// Returns the address of the last used target if its text equals `text`; else nil.
  func again(_ text: String) -> NetAddress? {
    guard let latest, latest.text == text else { return nil }
    return latest.address
  }

  /// Returns the target of a text that was parsed before; nil for a new text.
  mutating func known(_ text: String) -> NetTarget? {
    guard let target = all[text] else { return nil }
    note(target, text)
    return target
  }

  mutating func keep(_ target: NetTarget, _ text: String) {
    if all.count >= NetTargets.most { all = [:] }
    all[text] = target
    note(target, text)
  }

  private mutating func note(_ target: NetTarget, _ text: String) {
    if let address = target.onlyAddress { latest = (text, address) }
  }
}
