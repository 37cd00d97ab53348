import MoMu
import MoSessionCore

/// The identity of this installation: its ID on disk, and its key.
package struct Installation {
  /// The path of the saved identity; nil if nothing can be saved.
  let path: String?
  var memory: PeerCache
  /// The installation's key pair; nil without libsodium.
  let key: InstallationKey?
  /// The reason why the next start has another identity; nil if the next start has the same identity.
  private(set) var flaw: String?
  /// The notices to show to users, such as a notice about a changed ID.
  private(set) var notices: [String] = []

  /// Reads the saved identity, and creates the missing parts.
  ///
  /// The ID is derived from the key, so that it is the same in open and in locked rooms.
  ///
  /// - Parameter isKept: whether the identity is written to the disk; false offline, so that the saved identity stays
  ///   unchanged.
  init(_ environment: [String: String], machine: UInt64? = Machine.installed, isKept: Bool = true) {
    path = PeerCache.path(environment, machine: machine)
    memory = PeerCache(path: path, machine: machine)
    guard isKept else {
      key = nil
      return
    }
    let found = KeyFile.find(at: PeerCache.keyPath(path))
    key = found?.key
    let before = memory.isKnown ? memory.installation : nil
    if let key { memory.installation = MemberID(key.installation) }
    flaw =
      path.map { path in memory.write(to: path).map { "\(path): \($0)" } ?? found?.flaw }
      ?? "neither XDG_STATE_HOME nor HOME is set"
    if let notice = found?.notice { notices.append(notice) }
    if let before, before != memory.installation, flaw == nil {
      notices.append(
        "this installation is \(memory.installation) from now on, by its key; it was \(before): if only it may conduct, type "
          + "--conductor-only \(memory.installation) on each machine")
    }
  }

  /// Gives this machine a new identity: a new key and a new ID, as at a first start.
  ///
  /// - Returns: the previous ID (nil if no ID was saved), and the new ID.
  /// - Throws: `SessionError.unrenewable`.
  package static func renew(_ environment: [String: String]) throws(SessionError) -> (
    before: MemberID?, now: MemberID
  ) {
    try renew(environment, machine: Machine.installed)
  }

  static func renew(
    _ environment: [String: String], machine: UInt64?
  ) throws(SessionError) -> (before: MemberID?, now: MemberID) {
    let path = PeerCache.path(environment, machine: machine)
    var memory = PeerCache(path: path, machine: machine)
    let before = memory.isKnown ? memory.installation : nil
    if let flaw = PeerCache.keyPath(path).flatMap(KeyFile.remove) { throw .unrenewable(flaw) }
    memory.installation = .random()
    if let flaw = path.flatMap({ memory.write(to: $0) }) { throw .unrenewable(flaw) }
    let new = Installation(environment, machine: machine)
    if let flaw = new.flaw { throw .unrenewable(flaw) }
    return (before, new.memory.installation)
  }
}
