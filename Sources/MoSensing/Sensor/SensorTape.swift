import MoCore
import MoOSC
import MoRuntime

/// The tape of all sensors of a run, written on the `mo-disk` thread, or immediately if the run is offline.
package final class SensorTape: Sendable {
  private let run: Run
  private let users = Locked(1)
  private let queue: TapeQueue
  private let thread = Locked<MoThread?>(nil)

  /// The open tapes.
  private static let open = Locked<[SensorTape]>([])

  /// Returns the run's tape, opened by the first sensor that starts; nil if the run does not record.
  ///
  /// - Parameters:
  ///   - start: the moment of the tape's time 0; used only if this call opens the tape.
  ///   - source: the first sensor's source, which is stored in the file for people who find it later.
  ///   - report: called with a text for the user: with the level `warning` if writing fails or if messages were
  ///     dropped, with `notice` if an earlier tape of the same name was renamed.
  /// - Throws: `SensorError.tape` if the file cannot be created.
  package static func open(
    in run: Run, from start: HostTime, source: String,
    report: @escaping @Sendable (MoLog.Level, String) -> Void
  ) throws -> SensorTape? {
    guard let path = run.options.recordTape else { return nil }
    return try open.withLock { list in
      if let tape = list.first(where: { $0.run === run }) {
        tape.users.withLock { $0 += 1 }
        return tape
      }
      let tape = try SensorTape(path: path, start: start, source: source, run: run, report: report)
      list.append(tape)
      return tape
    }
  }

  private init(
    path: String, start: HostTime, source: String, run: Run,
    report: @escaping @Sendable (MoLog.Level, String) -> Void
  ) throws(SensorError) {
    self.run = run
    if !run.isOffline, let kept = WholeFile.keepEarlier(path) {
      report(.notice, "\(path) existed: the earlier recording is now \(kept)".printable)
    }
    do throws(OSCTapeError) {
      // An offline run has no date, so that the same run gives the same tape.
      let tape = try OSCTapeWriter(
        path: path, startNanosecondsSince1970: run.isOffline ? 0 : SystemClock().wallClock(of: start),
        madeBy: "MoMu, \(source)", survivesPowerCut: !run.isOffline)
      queue = TapeQueue(tape, start: start) { report(.warning, $0) }
    } catch {
      throw .tape(error.description)
    }
    guard !run.isOffline else { return }
    do throws(MoThread.Failure) {
      let made = try MoThread(name: "mo-disk") { [queue, clock = run.clock] thread in
        while !thread.isCancelled {
          queue.write(until: clock.now)
          thread.sleep(for: .milliseconds(100))
        }
        queue.close()
      }
      thread.withLock { $0 = made }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  /// Queues a reading for the tape; writes it immediately if the run is offline.
  func record(_ reading: some SensorReading) {
    record(OSCMessage(type(of: reading).address, reading.arguments), at: reading.time)
  }

  /// Queues a message for the tape; writes it immediately if the run is offline.
  package func record(_ message: OSCMessage, at time: HostTime) {
    if run.isOffline { queue.write(message, at: time) } else { queue.add(message, at: time) }
  }

  /// Releases the tape; the tape is completed when the last sensor releases it.
  package func close() {
    let isLast = SensorTape.open.withLock { list in
      let left = users.withLock { users in
        users -= 1
        return users
      }
      if left == 0 { list.removeAll { $0 === self } }
      return left == 0
    }
    guard isLast else { return }
    guard let thread = thread.withLock({ $0 }) else { return queue.close() }
    thread.cancel()
    thread.join()
  }
}
