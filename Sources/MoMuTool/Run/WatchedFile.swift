import Glibc
import MoConsole
import MoInstruments
import Synchronization

/// A watched source file of an instrument: each time the user saves the file, it is built, and the new instrument
/// replaces the old instrument.
///
/// The thread `mo-build` builds. Until a build succeeds, the old instrument continues to play.
final class WatchedFile: Sendable {
  private let path: String
  private let builder: InstrumentBuilder
  private let performance: Performance
  private let wake = WakeEvent()
  private let saves = Atomic<Int>(0)
  private let savedAt = Locked<FileStamp?>(nil)

  /// Starts to watch the file.
  ///
  /// - Parameter stamp: the file's stamp before the first build.
  /// - Throws: if a thread cannot be started.
  init(_ path: String, since stamp: FileStamp?, _ builder: InstrumentBuilder, _ performance: Performance)
    throws
  {
    self.path = path
    self.builder = builder
    self.performance = performance
    let run = Run.current
    let thread = try MoThread(name: "mo-build", stackBytes: 4 << 20) { [self] thread in
      while !thread.isCancelled {
        _ = wake.wait(for: nil)
        if !thread.isCancelled { renew() }
      }
    }
    let watch = FileWatch(
      path, since: stamp, at: run.clock.now, saved: { [self] in save($0) },
      gone: {
        MoLog.log(.warning, "\(path) is missing or empty: the old sound continues until you save it again.")
      })
    try run.input.add(watch) { _ in }
    run.atEnd { [self] in
      thread.cancel()
      wake.raise()
      // A build that ends from now on is neither played nor reported.
      saves.wrappingAdd(1, ordering: .releasing)
      builder.end()
      thread.join()
      builder.clean()
    }
  }

  /// Cancels a running build, which is of an older version of the file, and starts the build of the saved version.
  private func save(_ stamp: FileStamp) {
    savedAt.withLock { $0 = stamp }
    saves.wrappingAdd(1, ordering: .releasing)
    builder.cancel()
    wake.raise()
  }

  private func renew() {
    let save = saves.load(ordering: .acquiring)
    guard let stamp = savedAt.withLock({ $0 }) else { return }
    do {
      let built = try builder.build()
      guard save == saves.load(ordering: .acquiring) else { return wake.raise() }
      if !built.remarks.isEmpty { MoLog.log(.warning, built.remarks) }
      let missing = try performance.change(to: built.entry)
      let seconds = Double(Int(stamp.age * 10 + 0.5)) / 10
      Run.current.notice("\(path) plays, \(seconds) s after it was saved.")
      if let missing {
        MoLog.log(
          .warning,
          "\(missing)\n\(path) plays without this input: correct the cause, then save \(path) again.")
      }
    } catch {
      guard save == saves.load(ordering: .acquiring) else { return wake.raise() }
      MoLog.log(.warning, "\(error)\nThe old sound continues.")
    }
  }
}
