import MoCore
import MoRuntime

/// The server of a sensor whose readings need no analysis: it keeps the latest reading and calls the callbacks.
///
/// - Thread: any; callbacks run on the `mo-input` thread.
public final class SensorServer<Reading: SensorReading>: Sendable {
  package let intake: SensorInput<Reading>
  package let callbacks = CallbackList<Reading>()
  package let pace = CallbackRate()
  package let latest: LatestValue<Reading>

  package init(_ kind: SensorKind<Reading>) {
    intake = SensorInput(kind)
    latest = LatestValue(.initial)
  }

  /// Starts to read a source; does nothing if a source is read already.
  ///
  /// - Parameter source: the source, written as for the sensor's option; if the option is given, it overrides this
  ///   source. Nil for the best available.
  /// - Throws: `SensorError`.
  package func start(source: String?, in run: Run) throws {
    try intake.start(
      source: source, in: run, prepare: { pace.reset() },
      take: { [weak self] in self?.take($0) },
      changed: { [weak self] event in
        if case .lost = event { self?.rest(at: run.clock.now) }
      })
    run.atEnd(of: self) { $0.stop() }
  }

  /// Stops reading; callbacks stay for the next start.
  package func stop() { intake.stop() }

  /// Handles a reading: records it on the tape if there is a tape, stores it, and calls the program's callbacks.
  package func take(_ reading: Reading) {
    intake.record(reading)
    latest.store(reading)
    if pace.isDue(at: reading.time, isUrgent: !Reading.canBeThinned) { callbacks.call(reading) }
  }

  /// Replaces the last reading by the resting value (`SensorReading.atRest`), since the source is lost.
  private func rest(at time: HostTime) {
    let last = latest.load()
    guard var rest = last.atRest else { return }
    rest.time = max(time, last.time)
    pace.reset()
    take(rest)
  }
}
