import MoMu

/// A mapping file that is read again whenever it is saved, so that performers can edit it while playing.
///
/// If the changed file cannot be read, a warning is logged, and the previous mapping stays.
package final class MappingFile: EventSource {
  package let name = "mapping"
  package let descriptor: Int32? = nil
  package private(set) var nextTime: HostTime?
  private let path: String
  private let read: (String) throws(MappingError) -> Void
  private var stamp: FileStamp

  /// Creates the event source that watches the file, and reads the instrument's mapping from the file for the first
  /// time; the file must be valid.
  ///
  /// - Throws: `MappingError`.
  package convenience init(
    _ path: String, for handle: InstrumentHandle, at now: HostTime
  ) throws(MappingError) {
    try self.init(path, at: now) { path throws(MappingError) in try handle.readMapping(file: path) }
  }

  /// Creates the event source that watches the file, and reads the file for the first time; the file must be valid.
  ///
  /// - Parameter read: reads the mapping from the file at the given path and applies it; called now, and after each
  ///   change of the file.
  /// - Throws: `MappingError`.
  package init(
    _ path: String, at now: HostTime, read: @escaping (String) throws(MappingError) -> Void
  ) throws(MappingError) {
    (self.path, self.read) = (path, read)
    try read(path)
    guard let stamp = FileStamp(path) else {
      throw MappingError(line: 0, problem: .unreadable(path: path, reason: "the file is missing"))
    }
    self.stamp = stamp
    nextTime = now
  }

  package func service(until now: HostTime) {
    nextTime = now + .milliseconds(250)
    // A missing file is one that an editor is replacing at this moment.
    guard let found = FileStamp(path), found != stamp else { return }
    stamp = found
    do throws(MappingError) {
      try read(path)
      Run.current.notice("\(path) is read again.")
    } catch {
      MoLog.log(.warning, "\(error)")
    }
  }
}
