import MoMu

/// Detects that a file was saved: rewritten, replaced by a rename, or deleted and created again.
///
/// The file is polled twenty times a second, which works on every file system. The file counts as saved as soon as two
/// polls in a row find the same change. Several writes in quick succession are therefore reported once.
package final class FileWatch: EventTimer {
  package let name: String
  package private(set) var nextTime: HostTime?
  private let path: String
  private let saved: @Sendable (FileStamp) -> Void
  private let gone: @Sendable () -> Void
  /// The file's stamp that was last passed to `saved`; before the first call, the initializer's parameter `stamp`.
  private var reportedStamp: FileStamp?
  /// The file's stamp at the last poll; nil if the file was missing.
  private var seen: FileStamp?
  private var missingPolls = 0

  /// The time between polls.
  static let period = Duration.milliseconds(50)
  /// The number of polls in a row after which a missing or empty file counts as gone.
  ///
  /// An editor that replaces a file by a rename leaves the file missing for fewer polls.
  private static let mostMissingPolls = 20

  /// - Parameters:
  ///   - stamp: the file's stamp when the file was last read.
  ///   - saved: called with the file's new stamp, each time the file is saved.
  ///   - gone: called once each time the file has been missing or empty for a second.
  package init(
    _ path: String, since stamp: FileStamp?, at now: HostTime, saved: @escaping @Sendable (FileStamp) -> Void,
    gone: @escaping @Sendable () -> Void
  ) {
    name = "watch:\(path)"
    self.path = path
    self.saved = saved
    self.gone = gone
    (reportedStamp, seen) = (stamp, stamp)
    nextTime = now + Self.period
  }

  package func service(until now: HostTime) {
    guard isDue(at: now) else { return }
    nextTime = now + Self.period
    check(FileStamp(path))
  }

  /// Processes the result of a poll: compares the file's stamp with the previous stamps, and calls `saved` or `gone`.
  ///
  /// - Parameter stamp: the file's current stamp; nil if the file is missing.
  package func check(_ stamp: FileStamp?) {
    defer { seen = stamp }
    // An editor may truncate a file before it writes.
    guard let stamp, stamp.size > 0 else {
      missingPolls += 1
      if missingPolls == Self.mostMissingPolls { gone() }
      return
    }
    missingPolls = 0
    guard stamp == seen, stamp != reportedStamp else { return }
    reportedStamp = stamp
    saved(stamp)
  }
}
