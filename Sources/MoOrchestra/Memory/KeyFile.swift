import Glibc
import MoMu
import MoSessionCore

/// The file of an installation's key pair, which only the user who owns the file may read.
///
/// The file is created when a room is joined for the first time, if libsodium is installed.
enum KeyFile {
  /// A key, and the problems with its file.
  struct Found {
    var key: InstallationKey
    /// The reason why the next start will have another key; nil if the next start will have the same key.
    var problem: String?
    /// A notice for users about the file; nil for none.
    var notice: String?
  }

  /// Reads the key from its file, or creates a key and its file; returns nil without libsodium.
  ///
  /// - Parameter path: the path of the file; nil if the key cannot be saved.
  static func find(at path: String?) -> Found? {
    guard let made = try? InstallationKey() else { return nil }
    guard let path else { return Found(key: made) }
    if let found = read(path) { return found }
    let problem = save(made, at: path)
    // Another program may have created one at the same moment.
    if let found = read(path) { return found }
    return Found(key: made, problem: "\(path): \(problem ?? "it cannot be read")")
  }

  /// Reads the key from a file; returns nil if the file cannot be opened.
  ///
  /// If the file contains no key, the result is a new key that is not saved.
  private static func read(_ path: String) -> Found? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let text = WholeFile.text(of: path), let key = InstallationKey(stored: text) else {
      guard let made = try? InstallationKey() else { return nil }
      return Found(key: made, problem: "\(path) holds no key: type momu session renew for a new one")
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

  /// Removes a file; returns nil, or the reason why the file could not be removed.
  static func remove(_ path: String) -> String? {
    unlink(path) == 0 || errno == ENOENT ? nil : "\(path): \(String(cString: strerror(errno)))"
  }

  /// Writes a key to a file, if the file does not exist yet.
  ///
  /// - Returns: nil, or the reason why the key could not be written.
  private static func save(_ key: InstallationKey, at path: String) -> String? {
    WholeFile.makeFolders(to: path)
    let beside = WholeFile.beside(path)
    let file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return String(cString: strerror(errno)) }
    defer { unlink(beside) }
    let isWritten = WholeFile.put(Array(key.stored.utf8), into: file)
    let reason = errno
    close(file)
    guard isWritten else { return String(cString: strerror(reason)) }
    // A hard link does not replace a file that another program has created meanwhile; some file systems have no links.
    if link(beside, path) == 0 || errno == EEXIST { return nil }
    return rename(beside, path) == 0 ? nil : String(cString: strerror(errno))
  }
}
