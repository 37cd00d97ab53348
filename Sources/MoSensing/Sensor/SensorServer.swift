import MoCore
import MoRuntime
import Synchronization

/// The server of a sensor whose readings need no analysis: it keeps the latest reading and calls the callbacks.
///
/// - Thread: any; callbacks run on the `mo-input` thread.
public final class SensorServer<Reading: SensorReading>: Sendable {
  package let sensorInput: SensorInput<Reading>
  package let callbacks = CallbackList<Reading>()
  package let pace = CallbackRate()
  package let latest: LatestValue<Reading>
  /// The ends that the source has not delivered yet, such as releases of pressed buttons, each with the time 0.
  private let endings = Locked<[Reading]>([])

  package init(_ kind: SensorKind<Reading>) {
    sensorInput = SensorInput(kind)
    latest = LatestValue(.initial)
  }

  /// Starts to read a source; does nothing if a source is read already.
  ///
  /// - Parameter source: the source, written as for the sensor's option; if the option is given, it overrides this
  ///   source. Nil for the best available.
  /// - Throws: `SensorError`.
  package func start(source: String?, in run: Run) throws {
    try sensorInput.start(
      source: source, in: run, prepare: { pace.reset() },
      receive: { [weak self] in self?.receive($0) },
      changed: { [weak self] event in
        switch event {
        case .using: self?.deliverEndings(at: run.clock.now)
        case .lost:
          self?.deliverEndings(at: run.clock.now)
          self?.rest(at: run.clock.now)
        case .recordingEnded: break
        }
      })
    run.atEnd(of: self) { $0.stop() }
  }

  /// Stops reading, and delivers the ends that the source has not delivered; callbacks stay for the next start.
  package func stop() {
    sensorInput.stop()
    deliverEndings(at: .distantPast)
  }

  /// Handles a reading: records it on the tape if there is a tape, stores it, and calls the program's callbacks.
  package func receive(_ reading: Reading) {
    sensorInput.record(reading)
    // A reading that may be skipped needs no end.
    if !Reading.canBeThinned { storeEnding(of: reading) }
    latest.store(reading)
    if pace.isDue(at: reading.time, isUrgent: !Reading.canBeThinned) { callbacks.call(reading) }
  }

  /// Stores the end of a reading, and removes a stored end that is this reading.
  private func storeEnding(of reading: Reading) {
    var (reading, ending) = (reading, reading.ending)
    reading.time = .zero
    ending?.time = .zero
    endings.withLock { endings in
      endings.removeAll { $0 == reading || $0 == ending }
      if let ending { endings.append(ending) }
    }
  }

  /// Delivers the stored ends at `time`, but not before the last reading.
  private func deliverEndings(at time: HostTime) {
    let ends = endings.withLock { endings in
      defer { endings = [] }
      return endings
    }
    let time = max(time, latest.load().time)
    for var end in ends {
      end.time = time
      receive(end)
    }
  }

  /// Replaces the last reading by the resting value (`SensorReading.atRest`), since the source is lost.
  private func rest(at time: HostTime) {
    let last = latest.load()
    guard var rest = last.atRest else { return }
    rest.time = max(time, last.time)
    pace.reset()
    receive(rest)
  }
}

/// The limit on the rate of callbacks.
///
/// - Thread: `interval` on any thread; `isDue` on any thread, but one call at a time.
package final class CallbackRate: Sendable {
  /// The shortest and the longest interval except 0, in seconds, as in the original MoMu.
  static let intervals = 0.01...1.0

  private let length = Atomic<Int64>(0)
  private let delivered = Atomic<Int64>(.min)

  package init() {}

  /// The shortest time between two calls of a callback, in seconds; 0 means a call for every reading.
  package var interval: Double {
    get { Double(length.load(ordering: .relaxed)) * 1e-9 }
    set {
      let seconds =
        newValue > 0 ? min(max(newValue, Self.intervals.lowerBound), Self.intervals.upperBound) : 0
      length.store(Int64(seconds * 1e9), ordering: .relaxed)
    }
  }

  /// Returns whether a reading with the time `time` must be passed to the callbacks, and if so, stores this time.
  ///
  /// An urgent reading is always passed on.
  package func isDue(at time: HostTime, isUrgent: Bool = false) -> Bool {
    // Without an interval all are passed on, even one that its source delivered late.
    let isUrgent = isUrgent || length.load(ordering: .relaxed) == 0
    let last = delivered.load(ordering: .relaxed)
    // A tolerance of 1 % keeps an even stream from losing every other reading.
    let due = last == .min ? .min : last &+ length.load(ordering: .relaxed) / 100 * 99
    guard isUrgent || time.nanoseconds >= due else { return false }
    delivered.store(time.nanoseconds, ordering: .relaxed)
    return true
  }

  /// Makes the next reading due, regardless of the time of the last reading.
  package func reset() { delivered.store(.min, ordering: .relaxed) }
}
