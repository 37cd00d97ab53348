/// The targets that a program has written, each read once.
struct NetTargets {
  private var all: [String: NetTarget] = [:]
  /// The last one that is one known place: most of what a program sends goes where the message before went.
  private var latest: (text: String, address: NetAddress)?

  private static let most = 256

  /// Where the datagrams of the target before go, if this is it, and one known place.
  func again(_ text: String) -> NetAddress? {
    guard let latest, latest.text == text else { return nil }
    return latest.address
  }

  /// The target of a text that was read before.
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
