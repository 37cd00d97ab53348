import MoMu

/// Notices that a file has been saved, in whatever way: written anew, renamed into its place, deleted and made again.
///
/// It looks twenty times a second, which works on every file system; a file that has not changed for two looks is
/// saved, however often it was written in between.
final class FileWatch: EventSource {
  let name: String
  let descriptor: Int32? = nil
  private(set) var nextTime: HostTime?
  private let path: String
  private let saved: @Sendable (FileStamp) -> Void
  private let gone: @Sendable () -> Void
  /// As it was when it was last told of.
  private var told: FileStamp?
  /// As it was at the last look.
  private var seen: FileStamp?
  private var looksWithout = 0

  /// Time from one look to the next.
  static let period = Duration.milliseconds(50)
  /// Looks after which a file that is not there counts as gone: an editor that renames needs less.
  private static let patience = 20

  /// - Parameters:
  ///   - stamp: as it was when it was last read.
  ///   - saved: called with the file's new stamp.
  ///   - gone: called once where it is gone, or empty, for a second.
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

  /// Takes what the file is like now; nil where it is not there.
  func look(_ stamp: FileStamp?) {
    defer { seen = stamp }
    // An editor may empty a file before it writes it.
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
