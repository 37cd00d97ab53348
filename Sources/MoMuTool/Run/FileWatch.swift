import MoMu

/// Detects that a file was saved: rewritten, replaced by a rename, or deleted and created again.
///
/// It polls twenty times a second, which works on every file system. A file counts as saved if two polls in a row see
/// it unchanged, however many writes came before.
final class FileWatch: EventSource {
  let name: String
  let descriptor: Int32? = nil
  private(set) var nextTime: HostTime?
  private let path: String
  private let saved: @Sendable (FileStamp) -> Void
  private let gone: @Sendable () -> Void
  /// The stamp at the last report.
  private var told: FileStamp?
  /// The stamp at the last poll.
  private var seen: FileStamp?
  private var looksWithout = 0

  /// The time between polls.
  static let period = Duration.milliseconds(50)
  /// Polls after which a missing file counts as gone; an editor that replaces a file by a rename leaves it missing for
  /// fewer.
  private static let patience = 20

  /// - Parameters:
  ///   - stamp: the file's stamp when it was last read.
  ///   - saved: called with the file's new stamp.
  ///   - gone: called once if the file is missing or empty for a second.
  init(
    _ path: String, since stamp: FileStamp?, at now: HostTime, saved: @escaping @Sendable (FileStamp) -> Void,
    gone: @escaping @Sendable () -> Void
  ) {
    name = "watch:\(path)"
    self.path = path
    self.saved = saved
    self.gone = gone
    (told, seen) = (stamp, stamp)
    nextTime = now + Self.period
  }

  func service(until now: HostTime) {
    guard let next = nextTime, now >= next else { return }
    nextTime = now + Self.period
    look(FileStamp(path))
  }

  /// Processes the file's current stamp; nil if the file is missing.
  func look(_ stamp: FileStamp?) {
    defer { seen = stamp }
    // An editor may truncate a file before it writes.
    guard let stamp, stamp.size > 0 else {
      looksWithout += 1
      if looksWithout == Self.patience { gone() }
      return
    }
    looksWithout = 0
    guard stamp == seen, stamp != told else { return }
    told = stamp
    saved(stamp)
  }
}
