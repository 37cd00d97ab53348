import Glibc
import MoMu
import MoSessionCore

/// The file of an installation's key pair, which its owner alone may read.
///
/// It is made when a room is joined for the first time, if libsodium is there.
enum KeyFile {
  /// A key, and what stands against keeping it.
  struct Found {
    var key: InstallationKey
    /// Why the next start has another key; nil if it has the same.
    var flaw: String?
    /// What people have to know of the file; nil for nothing.
    var notice: String?
  }

  /// Reads the key, or makes one; nil without libsodium.
  ///
  /// - Parameter path: nil if nothing can be kept.
  static func find(at path: String?) -> Found? {
    guard let made = try? InstallationKey() else { return nil }
    guard let path else { return Found(key: made) }
    if let found = read(path) { return found }
    let flaw = keep(made, at: path)
    // Another program may have made one in the same moment.
    if let found = read(path) { return found }
    return Found(key: made, flaw: "\(path): \(flaw ?? "it cannot be read")")
  }

  /// Reads a file; nil if there is none.
  private static func read(_ path: String) -> Found? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let text = WholeFile.text(of: path), let key = InstallationKey(kept: text) else {
      guard let made = try? InstallationKey() else { return nil }
      return Found(key: made, flaw: "\(path) holds no key: type momu session renew for a new one")
    }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & 0o077 != 0 else { return Found(key: key) }
    fchmod(file, 0o600)
    return Found(
      key: key,
      notice:
        "other users of this machine could read \(path), so they may have this installation's key: type momu session "
        + "renew for a new one")
  }

  /// Removes a file; why that cannot be, if so.
  static func remove(_ path: String) -> String? {
    unlink(path) == 0 || errno == ENOENT ? nil : "\(path): \(String(cString: strerror(errno)))"
  }

  /// Writes a key if there is no file yet.
  ///
  /// - Returns: nil, or why it could not be written.
  private static func keep(_ key: InstallationKey, at path: String) -> String? {
    WholeFile.makeFolders(to: path)
    let beside = WholeFile.beside(path)
    let file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return String(cString: strerror(errno)) }
    defer { unlink(beside) }
    let isWritten = WholeFile.put(Array(key.kept.utf8), into: file)
    let flaw = errno
    close(file)
    guard isWritten else { return String(cString: strerror(flaw)) }
    // A link does not replace what another program has made meanwhile; some disks have none.
    if link(beside, path) == 0 || errno == EEXIST { return nil }
    return rename(beside, path) == 0 ? nil : String(cString: strerror(errno))
  }
}
