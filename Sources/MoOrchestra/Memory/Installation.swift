import MoMu
import MoSessionCore

/// Who this installation is: what is kept of it on disk, and its key.
package struct Installation {
  /// Where it is kept; nil if nothing can be.
  let path: String?
  var memory: PeerCache
  /// Its key pair; nil without libsodium.
  let key: InstallationKey?
  /// Why the next start is another installation; nil if it is the same.
  private(set) var flaw: String?
  /// What people have to know.
  private(set) var notices: [String] = []

  /// Reads what is kept; makes the rest anew.
  ///
  /// The number follows from the key, so that it is the same in open and in locked rooms.
  ///
  /// - Parameter isKept: whether anything is written; an offline run changes nothing.
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
        "this installation is \(memory.installation) from now on, by its key; it was \(before): if only one may conduct, say "
          + "--conductor-only \(memory.installation) on each machine")
    }
  }

  /// Makes this machine another installation, as if none had been here: the key and the number are new.
  ///
  /// - Returns: the number before, nil for none, and the new one.
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
