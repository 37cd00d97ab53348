import MoCore
import MoRuntime
import Synchronization

/// The part that the servers of all sensors share: it opens the source, reports events, and records the tape.
///
/// - Thread: any.
package final class SensorInput<Reading: SensorReading>: Sendable {
  package let kind: SensorKind<Reading>
  package let events = CallbackList<SensorEvent>()
  private let lifecycle = MoMutex()
  private let session = Locked<SensorSession<Reading>?>(nil)
  private let recording = Locked(Recording.off)
  private let log: @Sendable (MoLog.Level, String) -> Void
  /// Whether `recording` may differ from `.off`.
  ///
  /// If this is false, as in most runs, `record` does not need the lock of `recording`.
  private let isRecording = Atomic<Bool>(false)

  /// The state of the recording.
  private enum Recording {
    case off
    /// The readings that wait for the tape, which is opened only after the source, because a tape's header names the
    /// source.
    case awaited([Reading])
    case on(SensorTape)
  }

  /// - Parameter log: called with the lines about changes of the source, on any thread.
  package init(
    _ kind: SensorKind<Reading>,
    log: @escaping @Sendable (MoLog.Level, String) -> Void = { MoLog.log($0, $1) }
  ) {
    (self.kind, self.log) = (kind, log)
  }

  /// The source that is read now, as options name it, such as `iio:0`; nil while no source is read.
  package var sourceName: String? { session.withLock { $0 }?.sourceName }

  /// The source that is read now; nil also while the source waits for its device, such as `gpsd` without gpsd.
  package var deviceName: String? {
    guard let session = session.withLock({ $0 }), session.hasDevice else { return nil }
    return session.sourceName
  }

  /// The reason why a device of the sensor cannot be read; nil if all its devices are read, or if no reason is known.
  ///
  /// While gpsd is missing, each program has a reason. In other cases, only a program that waits for devices, such as a
  /// rig, has a reason.
  package var problem: String? { session.withLock { $0 }?.waitReason }

  /// Starts to read a source; does nothing if a source is read already.
  ///
  /// - Parameters:
  ///   - source: the source, written as for the sensor's option; if the option is given, it overrides this source. Nil
  ///     for the best available.
  ///   - prepare: called before the first reading.
  ///   - receive: called with every reading; it calls `record` with the readings that the tape must contain.
  ///   - changed: called when the source is lost or found, before the program's callbacks.
  /// - Throws: `SensorError`.
  package func start(
    source: String?, in run: Run, prepare: () -> Void, receive: @escaping @Sendable (Reading) -> Void,
    changed: @escaping @Sendable (SensorEvent) -> Void
  ) throws {
    var refused: SensorSession<Reading>?
    // Outside the lock: the callback that this waits for may itself stop or start the server.
    defer { refused?.end() }
    lifecycle.acquire()
    defer { lifecycle.release() }
    guard session.withLock({ $0 == nil }) else { return }
    let sourceLog = SensorLog(run, log: log)
    let notify: @Sendable (SensorEvent) -> Void = { [weak self] event in
      switch event {
      case .using(let name): sourceLog.notice("Reading \(name).", about: name)
      case .lost(let name, let reason): sourceLog.warn(reason, about: name)
      case .recordingEnded(let reason): self?.log(.warning, reason)
      }
      changed(event)
      self?.events.call(event)
    }
    let opened = try SensorSession(
      kind, name: run.options.sensors[kind.option] ?? source, run: run, log: sourceLog, deliver: receive,
      notify: notify)
    prepare()
    let beginning = run.clock.now
    if run.options.recordTape != nil {
      recording.withLock { $0 = .awaited([]) }
      isRecording.store(true, ordering: .releasing)
    }
    do {
      try opened.begin()
      let tape = try SensorTape.open(in: run, from: beginning, source: opened.sourceName ?? kind.option) {
        [log] level, reason in
        guard level == .warning else { return log(level, reason) }
        notify(.recordingEnded(reason: reason))
      }
      begin(tape)
    } catch {
      _ = endRecording()
      refused = opened
      throw error
    }
    session.withLock { $0 = opened }
  }

  /// Starts to record, first the readings that waited for the tape; without a tape, nothing is recorded.
  private func begin(_ tape: SensorTape?) {
    recording.withLock { recording in
      guard let tape else {
        recording = .off
        return
      }
      if case .awaited(let readings) = recording { for reading in readings { tape.record(reading) } }
      recording = .on(tape)
    }
  }

  /// Stops reading; callbacks stay for the next start.
  package func stop() {
    lifecycle.acquire()
    let ending = session.withLock { session in
      defer { session = nil }
      return session
    }
    let ended = endRecording()
    lifecycle.release()
    // Outside the lock, as above.
    ending?.end()
    if case .on(let tape) = ended { tape.close() }
  }

  /// Ends the recording, and returns its last state.
  private func endRecording() -> Recording {
    isRecording.store(false, ordering: .releasing)
    return recording.withLock { recording in
      defer { recording = .off }
      return recording
    }
  }

  /// Records a reading, if recording is on.
  package func record(_ reading: Reading) {
    guard isRecording.load(ordering: .acquiring) else { return }
    recording.withLock { recording in
      switch recording {
      case .off: break
      case .awaited(var readings):
        // The array is taken out and put back so that it is not copied.
        guard readings.count < TapeQueue.room else { return }
        recording = .off
        readings.append(reading)
        recording = .awaited(readings)
      case .on(let tape): tape.record(reading)
      }
    }
  }
}
