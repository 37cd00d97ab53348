import MoProgram
import MoRealTime
import MoTime

/// What every sensor's server does before it knows what its readings mean: a source by name, started and stopped,
/// news of it, and the tape.
///
/// - Thread: any.
package final class SensorIntake<Reading: SensorReading>: Sendable {
  package let kind: SensorKind<Reading>
  package let events = CallbackList<SensorEvent>()
  private let lifecycle = MoMutex()
  private let session = Guarded<SensorSession<Reading>?>(nil)
  private let tape = Guarded<SensorTape?>(nil)

  package init(_ kind: SensorKind<Reading>) { self.kind = kind }

  /// What is read now, as options name it.
  package var sourceName: String? { session.withLock { $0 }?.sourceName }

  /// Starts to read; nothing where it reads already.
  ///
  /// - Parameters:
  ///   - source: as the sensor's option names it, which overrides it; nil for the best there is.
  ///   - prepare: called before the first reading.
  ///   - take: called with every reading; it says which are recorded.
  ///   - changed: called when the source is lost or found, before callbacks are.
  /// - Throws: `SensorError`.
  package func start(
    source: String?, in run: Run, prepare: () -> Void, take: @escaping @Sendable (Reading) -> Void,
    changed: @escaping @Sendable (SensorEvent) -> Void
  ) throws {
    var refused: SensorSession<Reading>?
    // Outside the lock: a callback that is waited for may itself be stopping or starting this.
    defer { refused?.end() }
    lifecycle.acquire()
    defer { lifecycle.release() }
    guard session.withLock({ $0 == nil }) else { return }
    let tell: @Sendable (SensorEvent) -> Void = { [weak self] event in
      switch event {
      case .using(let name): run.notice("Reading \(name).")
      case .lost(_, let reason), .recordingEnded(let reason): MoLog.log(.warning, reason)
      }
      changed(event)
      self?.events.call(event)
    }
    let opened = try SensorSession(
      kind, name: run.options.sensors[kind.option] ?? source, run: run, deliver: take, tell: tell)
    prepare()
    try opened.begin()
    do {
      let recorder = try SensorTape.open(in: run, source: opened.sourceName ?? kind.option) { reason in
        tell(.recordingEnded(reason: reason))
      }
      tape.withLock { $0 = recorder }
    } catch {
      refused = opened
      throw error
    }
    session.withLock { $0 = opened }
  }

  /// Stops to read; callbacks stay for the next start.
  package func stop() {
    lifecycle.acquire()
    let ending = session.withLock { session in
      defer { session = nil }
      return session
    }
    let recorder = tape.withLock { tape in
      defer { tape = nil }
      return tape
    }
    lifecycle.release()
    // Outside the lock, as above.
    ending?.end()
    recorder?.close()
  }

  /// Looks whether a device that is waited for has come, where nothing tells of it.
  ///
  /// - Thread: the one that services the run's inputs.
  package func look() { session.withLock { $0 }?.devicesChanged() }

  /// Records a reading, where readings are recorded.
  package func record(_ reading: Reading) {
    guard let tape = tape.withLock({ $0 }) else { return }
    tape.record(Reading.address, reading.arguments, at: reading.time)
  }
}
