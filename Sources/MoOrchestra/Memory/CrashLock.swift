import Glibc
import MoMu

/// A file in which a program saves its room, locked while the program runs; an unlocked file shows that its program was
/// killed.
///
/// Several programs with the same name may run at the same time. So each program has its own file, `PROGRAM.1` and so
/// on, and holds the lock of its file. The kernel releases the lock however the program ends. A program that leaves its
/// room properly deletes its file.
///
/// - Thread: any, but one at a time.
package final class CrashLock {
  /// The saved room of the program that had this file before, and was killed in the last 15 minutes; nil for a new
  /// file.
  package let before: SavedRoom?
  private let path: String
  /// A file descriptor that stays open for as long as the lock is held.
  private var file: Int32

  /// The largest number of files for programs of the same name on a machine.
  private static let most = 16
  /// The seconds since the last update of a killed program's file, after which the file is deleted.
  ///
  /// A program that starts in the next lesson must not rejoin the room of the lesson before.
  package static let timeout = 15 * 60

  /// Takes over the file of a killed program with the same name; if there is none, creates a file.
  ///
  /// - Returns: nil if no file can be created.
  package static func acquire(_ folder: String, program: String) -> CrashLock? {
    let name = String(program.map { $0 == "/" || $0 == " " ? "-" : $0 })
    var free: [String] = []
    for number in 1...most {
      let path = "\(folder)/\(name).\(number)"
      let file = open(path, O_RDWR | O_CLOEXEC)
      if file < 0 {
        if errno == ENOENT { free.append(path) }
      } else if let record = orphan(file, path) {
        return CrashLock(path, file, before: record)
      } else {
        close(file)
        if access(path, F_OK) != 0 { free.append(path) }
      }
    }
    forgetOld(in: folder)
    WholeFile.makeFolders(to: "\(folder)/")
    for path in free {
      let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if file >= 0, isOurs(file, path) { return CrashLock(path, file, before: nil) }
      if file >= 0 { close(file) }
    }
    return nil
  }

  private init(_ path: String, _ file: Int32, before: SavedRoom?) {
    (self.path, self.file, self.before) = (path, file, before)
  }

  deinit { close(file) }

  /// Returns the room that a killed program saved in a file; nil if the program still runs, or if no valid room is
  /// saved.
  ///
  /// A file that is empty, malformed or too old is deleted.
  private static func orphan(_ file: Int32, _ path: String) -> SavedRoom? {
    guard isOurs(file, path) else { return nil }
    var status = stat()
    guard fstat(file, &status) == 0 else { return nil }
    // An empty file was not yet written when its program was killed.
    if status.st_size > 0, time(nil) - status.st_mtim.tv_sec < timeout {
      if let record = WholeFile.text(of: path).flatMap({ SavedRoom(text: $0) }) { return record }
      MoLog.log(.warning, "\(path) is malformed, so its room is forgotten")
    }
    unlink(path)
    return nil
  }

  /// Removes the files of all programs that were killed long ago: room keys must not stay on the disk.
  private static func forgetOld(in folder: String) {
    for name in SystemFiles.names(in: folder) {
      let path = "\(folder)/\(name)"
      let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard file >= 0 else { continue }
      var status = stat()
      if fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        time(nil) - status.st_mtim.tv_sec >= timeout, isOurs(file, path)
      {
        unlink(path)
      }
      close(file)
    }
  }

  /// Locks a file; returns false if another program holds the lock, or if the file was replaced meanwhile.
  private static func isOurs(_ file: Int32, _ path: String) -> Bool {
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return false }
    var (held, there) = (stat(), stat())
    return fstat(file, &held) == 0 && stat(path, &there) == 0 && held.st_ino == there.st_ino
      && held.st_dev == there.st_dev
  }

  /// Saves the program's room atomically.
  ///
  /// The new file is locked before it replaces the old file, so that other programs never find an unlocked file.
  package func write(_ record: SavedRoom) {
    guard let text = record.text else { return }
    let beside = "\(path).new"
    let new = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard new >= 0 else { return }
    if flock(new, LOCK_EX | LOCK_NB) == 0, WholeFile.put(Array(text.utf8), into: new),
      rename(beside, path) == 0
    {
      close(file)
      file = new
    } else {
      close(new)
      unlink(beside)
    }
  }

  /// Updates the file's time, which shows that the program still runs.
  package func touch() { futimens(file, nil) }

  /// Deletes the file, since the program leaves its room properly.
  package func clear() { unlink(path) }
}
