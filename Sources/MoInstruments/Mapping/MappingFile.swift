import MoMu

/// A mapping's file, read again whenever it is saved: a performer changes the mapping while playing.
///
/// A file that cannot be read is told of, and what was followed before is followed on.
package final class MappingFile: EventSource {
  package let name = "mapping"
  package let descriptor: Int32? = nil
  package private(set) var nextTime: HostTime?
  private let path: String
  private let handle: InstrumentHandle
  private var stamp: FileStamp

  /// Reads the file, which must be good at first.
  ///
  /// - Throws: `MappingError`.
  package init(_ path: String, for handle: InstrumentHandle, at now: HostTime) throws(MappingError) {
    self.path = path
    self.handle = handle
    try handle.readMapping(file: path)
    guard let stamp = FileStamp(path) else {
      throw MappingError(line: 0, problem: .unreadable(path: path, reason: "it is gone"))
    }
    self.stamp = stamp
    nextTime = now
  }

  package func service(until now: HostTime) {
    nextTime = now + .milliseconds(250)
    // One that is gone is being saved by an editor that writes anew.
    guard let found = FileStamp(path), found != stamp else { return }
    stamp = found
    do throws(MappingError) {
      try handle.readMapping(file: path)
      Run.current.notice("\(path) is read again.")
    } catch {
      MoLog.log(.warning, "\(error)")
    }
  }
}
