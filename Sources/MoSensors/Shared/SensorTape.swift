import MoOSC
import MoProgram
import MoRealTime
import MoTime

/// The tape that all sensors of a run record to, on the `mo-disk` thread, or at once where time is counted.
final class SensorTape: Sendable {
  private let run: Run
  private let users = Guarded(1)
  private let start: HostTime
  private let writer: Writer
  private let pending = Guarded<[Entry]>([])
  private let thread = Guarded<MoThread?>(nil)

  private struct Entry: Sendable {
    var nanoseconds: Int64
    var message: OSCMessage
  }

  /// The tape, and what to do when it can be written no more.
  private final class Writer: @unchecked Sendable {
    // Unchecked: one thread at a time writes: the disk thread, or offline the renderer's.
    let tape: OSCTapeWriter
    let report: @Sendable (String) -> Void

    init(_ tape: OSCTapeWriter, _ report: @escaping @Sendable (String) -> Void) {
      self.tape = tape
      self.report = report
    }

    func write(_ entry: Entry) {
      do throws(OSCTapeError) {
        try tape.write(entry.message, atNanoseconds: entry.nanoseconds)
      } catch {
        report(error.description)
      }
    }

    func close() {
      do throws(OSCTapeError) { try tape.close() } catch { report(error.description) }
    }
  }

  /// Those that are open.
  private static let open = Guarded<[SensorTape]>([])
  /// How much may wait for the disk.
  private static let room = 65_536
  /// How late one sensor's readings may come behind another's, in nanoseconds, and still stand in order.
  private static let lateness: Int64 = 100_000_000

  /// The run's tape, opened by the first sensor that starts; nil where the run records none.
  ///
  /// - Parameters:
  ///   - source: what the first sensor reads, for people who find the file later.
  ///   - report: told once, in words for the user, if the tape can be written no more.
  /// - Throws: `SensorError.tape` where the file cannot be made.
  static func open(
    in run: Run, source: String, report: @escaping @Sendable (String) -> Void
  ) throws -> SensorTape? {
    guard let path = run.options.recordTape else { return nil }
    return try open.withLock { list in
      if let tape = list.first(where: { $0.run === run }) {
        tape.users.withLock { $0 += 1 }
        return tape
      }
      let tape = try SensorTape(path: path, source: source, run: run, report: report)
      list.append(tape)
      return tape
    }
  }

  private init(
    path: String, source: String, run: Run, report: @escaping @Sendable (String) -> Void
  ) throws(SensorError) {
    self.run = run
    start = run.clock.now
    do throws(OSCTapeError) {
      // Counted time has no date; the same run then gives the same tape.
      let tape = try OSCTapeWriter(
        path: path, startNanosecondsSince1970: run.isOffline ? 0 : SystemClock().wallClock(of: start),
        madeBy: "MoMu, \(source)", survivesPowerCut: !run.isOffline)
      writer = Writer(tape, report)
    } catch {
      throw .tape(error.description)
    }
    guard !run.isOffline else { return }
    do throws(MoThread.Failure) {
      let made = try MoThread(name: "mo-disk") { [pending, writer] thread in
        var isLast = false
        while !isLast {
          isLast = thread.isCancelled
          for entry in SensorTape.ripe(pending, all: isLast) { writer.write(entry) }
          if !isLast { thread.sleep(for: .milliseconds(100)) }
        }
        writer.close()
      }
      thread.withLock { $0 = made }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  /// What waits and can have nothing more before it, in order of time; or all of it.
  private static func ripe(_ pending: Guarded<[Entry]>, all: Bool) -> [Entry] {
    var entries = pending.withLock { list in
      defer { list = [] }
      return list
    }
    guard let newest = entries.map(\.nanoseconds).max() else { return [] }
    entries.sort { $0.nanoseconds < $1.nanoseconds }
    let count =
      all ? entries.count : entries.firstIndex { $0.nanoseconds > newest - lateness } ?? entries.count
    pending.withLock { $0 = entries[count...] + $0 }
    return Array(entries[..<count])
  }

  /// Takes a reading.
  func record(_ address: String, _ arguments: [OSCArgument], at time: HostTime) {
    let entry = Entry(
      nanoseconds: max(0, time.nanoseconds &- start.nanoseconds), message: OSCMessage(address, arguments))
    if run.isOffline { return writer.write(entry) }
    pending.withLock { if $0.count < SensorTape.room { $0.append(entry) } }
  }

  /// Lets go of the tape, which the last sensor completes.
  func close() {
    let isLast = SensorTape.open.withLock { list in
      let left = users.withLock { users in
        users -= 1
        return users
      }
      if left == 0 { list.removeAll { $0 === self } }
      return left == 0
    }
    guard isLast else { return }
    guard let thread = thread.withLock({ $0 }) else { return writer.close() }
    thread.cancel()
    thread.join()
  }
}
