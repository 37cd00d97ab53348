import MoOSC
import MoRealTime
import MoTime
import Synchronization

/// Records readings to a tape, on the `mo-disk` thread, or at once where time is counted.
final class AccelRecorder: Sendable {
  private let writer: Writer
  private let queue = MoQueue<Entry>(capacity: 4096)
  private let start: HostTime
  private let thread: MoThread?

  private struct Entry: BitwiseCopyable, Sendable {
    var nanoseconds: Int64
    var x: Float
    var y: Float
    var z: Float
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
        try tape.write(
          OSCMessage(TapeAccelerometer.address, [.float(entry.x), .float(entry.y), .float(entry.z)]),
          atNanoseconds: entry.nanoseconds)
      } catch {
        report(error.description)
      }
    }

    func close() {
      do throws(OSCTapeError) { try tape.close() } catch { report(error.description) }
    }
  }

  /// - Parameters:
  ///   - start: the tape's time 0.
  ///   - isOffline: whether time is counted, and the disk may hold up whoever records.
  ///   - report: told once, in words for the user, if the tape can be written no more.
  /// - Throws: `AccelError.tape` where the file cannot be made.
  init(
    path: String, source: String, start: HostTime, isOffline: Bool,
    report: @escaping @Sendable (String) -> Void
  ) throws(AccelError) {
    self.start = start
    do throws(OSCTapeError) {
      // Counted time has no date; the same run then gives the same tape.
      let tape = try OSCTapeWriter(
        path: path, startNanosecondsSince1970: isOffline ? 0 : SystemClock().wallClock(of: start),
        madeBy: "MoMu, \(source)", survivesPowerCut: !isOffline)
      writer = Writer(tape, report)
    } catch {
      throw .tape(error.description)
    }
    guard !isOffline else {
      thread = nil
      return
    }
    do throws(MoThread.Failure) {
      thread = try MoThread(name: "mo-disk") { [queue, writer] thread in
        var isLast = false
        while !isLast {
          isLast = thread.isCancelled
          while let entry = queue.pop() { writer.write(entry) }
          if !isLast { thread.sleep(for: .milliseconds(100)) }
        }
        writer.close()
      }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  /// Takes a reading; from one thread at a time.
  func record(_ reading: AccelReading) {
    let entry = Entry(
      nanoseconds: max(0, reading.time.nanoseconds &- start.nanoseconds), x: reading.x, y: reading.y,
      z: reading.z)
    if thread == nil { writer.write(entry) } else { queue.push(entry) }
  }

  /// Completes the tape.
  func close() {
    if let thread {
      thread.cancel()
      thread.join()
    } else {
      writer.close()
    }
  }
}
