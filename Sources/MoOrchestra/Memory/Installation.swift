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
  private(set) var problem: String?
  /// The notices to show to users, such as a notice about a changed ID.
  private(set) var notices: [String] = []

  /// Reads the saved identity, and creates the missing parts.
  ///
  /// The ID is derived from the key, so that it is the same in open and in locked rooms.
  ///
  /// - Parameter isKept: whether the identity is written to the disk; false offline, so that the saved identity stays
  ///   unchanged.
  init(_ environment: [String: String], machine: UInt64? = MachineID.installed, isKept: Bool = true) {
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
    problem =
      path.map { path in memory.write(to: path).map { "\(path): \($0)" } ?? found?.problem }
      ?? "neither XDG_STATE_HOME nor HOME is set"
    if let notice = found?.notice { notices.append(notice) }
    if let before, before != memory.installation, problem == nil {
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
    try renew(environment, machine: MachineID.installed)
  }

  static func renew(
    _ environment: [String: String], machine: UInt64?
  ) throws(SessionError) -> (before: MemberID?, now: MemberID) {
    let path = PeerCache.path(environment, machine: machine)
    var memory = PeerCache(path: path, machine: machine)
    let before = memory.isKnown ? memory.installation : nil
    if let problem = PeerCache.keyPath(path).flatMap(KeyFile.remove) { throw .unrenewable(problem) }
    memory.installation = .random()
    if let problem = path.flatMap({ memory.write(to: $0) }) { throw .unrenewable(problem) }
    let new = Installation(environment, machine: machine)
    if let problem = new.problem { throw .unrenewable(problem) }
    return (before, new.memory.installation)
  }
}

/// This installation's key pair, with which the session's protocol signs messages and checks signatures.
struct InstallationSigner: SessionSigner {
  let key: InstallationKey

  var publicKey: [UInt8] { key.publicKey }

  func sign(_ bytes: [UInt8]) -> [UInt8] { key.sign(bytes) }

  func isSigned(_ bytes: [UInt8], _ signature: [UInt8], by publicKey: [UInt8]) -> Bool {
    key.isSigned(bytes, signature, by: publicKey)
  }

  func installation(of publicKey: [UInt8]) -> MemberID { MemberID(key.installation(of: publicKey)) }
}

/// The identity of this machine, by which MoMu distinguishes machines that have copies of the same disk or home folder.
enum MachineID {
  /// A hash of this machine's ID, the same until its system is installed anew; nil if the system has no ID.
  ///
  /// The hash is saved on disk and never sent.
  static let installed = ["/etc/machine-id", "/var/lib/dbus/machine-id"].lazy.compactMap(number).first

  /// A hash of this machine's boot ID, the same for all programs until the next boot; 0 if the boot ID cannot be read.
  static let started = number("/proc/sys/kernel/random/boot_id") ?? 0

  /// Returns a hash of the ID in a file; nil unless the file contains an ID, which has 32 hexadecimal digits.
  ///
  /// - Source: FNV-1a, RFC 9923.
  static func number(_ path: String) -> UInt64? {
    guard let text = WholeFile.text(of: path) else { return nil }
    let digits = text.utf8.filter { Character(UnicodeScalar($0)).isHexDigit }
    // An ID has 32 digits; images that have never been started contain "uninitialized".
    guard digits.count == 32 else { return nil }
    return digits.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
  }
}
