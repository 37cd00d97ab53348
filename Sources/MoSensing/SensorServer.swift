import MoCore
import MoRuntime

/// What stands behind the face of a sensor whose readings mean what they say: takes them in, keeps the latest, tells
/// the program.
///
/// - Thread: any; callbacks run on the `mo-input` thread.
public final class SensorServer<Reading: SensorReading>: Sendable {
  package let intake: SensorInput<Reading>
  package let callbacks = CallbackList<Reading>()
  package let pace = CallbackRate()
  package let latest: LatestValue<Reading>

  /// - Parameter first: what is known before the first reading.
  package init(_ kind: SensorKind<Reading>, first: Reading) {
    intake = SensorInput(kind)
    latest = LatestValue(first)
  }

  /// Starts to read; nothing where it reads already.
  ///
  /// - Parameter source: as the sensor's option names it, which overrides it; nil for the best there is.
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

  /// Stops to read; callbacks stay for the next start.
  package func stop() { intake.stop() }

  /// Takes in one reading: records it, keeps it, calls the program.
  package func take(_ reading: Reading) {
    intake.record(reading)
    latest.store(reading)
    if pace.isDue(at: reading.time, isUrgent: !Reading.canBeThinned) { callbacks.call(reading) }
  }

  /// Leaves the sensor at rest: nobody moves it any more.
  private func rest(at time: HostTime) {
    let last = latest.load()
    guard var rest = last.atRest else { return }
    rest.time = max(time, last.time)
    pace.reset()
    take(rest)
  }
}
