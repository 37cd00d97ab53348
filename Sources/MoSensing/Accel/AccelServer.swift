import MoCore
import MoDSPCore
import MoRuntime
import Synchronization

/// The implementation of `MoAccel`: it chooses the source, analyses its readings, and calls the program.
///
/// - Thread: any; callbacks run on the `mo-input` thread.
package final class AccelServer: Sendable {
  /// The server behind `MoAccel`.
  package static let shared = AccelServer()

  private let sensorInput = SensorInput<AccelReading>(.accel)
  private let pace = CallbackRate()
  package let callbacks = CallbackList<Motion>()
  let strikeCallbacks = CallbackList<(force: Float, time: HostTime)>()
  let latest = LatestValue(Motion.still)
  private let features = Locked(MotionFeatures())
  private let strikeCount = Atomic<Int>(0)
  private let strikeForce = Atomic<UInt32>(0)

  package var events: CallbackList<AccelEvent> { sensorInput.events }

  /// The number of strikes since the program's start, and the force of the last strike, 0 … 1.
  package var strikes: (count: Int, lastForce: Float) {
    (strikeCount.load(ordering: .relaxed), Float(bitPattern: strikeForce.load(ordering: .relaxed)))
  }

  /// The reason why the device cannot be read; nil while it is read, or if no reason is known.
  package var problem: String? { sensorInput.problem }

  /// The shortest time between two calls of a callback, in seconds; 0 means a call for every reading.
  package var updateInterval: Double {
    get { pace.interval }
    set { pace.interval = newValue }
  }

  /// The source that is read now, as options name it, such as `iio:0`; nil while no source is read.
  package var sourceName: String? { sensorInput.sourceName }

  package init() {}

  /// Starts to read a source; does nothing if a source is read already.
  ///
  /// - Parameter source: the source, in the form of the option `--accel`; nil for the best available. If the option is
  ///   given, it overrides this parameter.
  /// - Throws: `AccelError`.
  package func start(source: String?, in run: Run) throws {
    try sensorInput.start(
      source: source, in: run, prepare: { reset() },
      receive: { [weak self] in self?.receive($0) },
      changed: { [weak self] event in
        switch event {
        // Another sensor may be held differently: the change must not count as a movement.
        case .using: self?.features.withLock { $0 = MotionFeatures() }
        case .lost: self?.rest(at: run.clock.now)
        case .recordingEnded: break
        }
      })
  }

  /// Stops reading; callbacks stay for the next start.
  package func stop() { sensorInput.stop() }

  /// Handles a reading: analyses it, stores the resulting motion, and calls the program's callbacks.
  package func receive(_ reading: AccelReading) {
    let motion = features.withLock { features -> Motion? in
      sensorInput.record(reading)
      let motion = features.read(time: reading.time, x: reading.x, y: reading.y, z: reading.z)
      if let motion { latest.store(motion) }
      return motion
    }
    // A strike or tap is passed on immediately.
    guard let motion, pace.isDue(at: motion.time, isUrgent: motion.strike != nil || motion.tap != nil) else {
      return
    }
    if let force = motion.strike {
      strikeForce.store(force.bitPattern, ordering: .relaxed)
      strikeCount.wrappingAdd(1, ordering: .relaxed)
    }
    callbacks.call(motion)
    if let force = motion.strike { strikeCallbacks.call((force, motion.time)) }
  }

  private func reset() {
    features.withLock { $0 = MotionFeatures() }
    pace.reset()
  }

  /// Resets the analysis and handles the last reading again, because the source is lost.
  ///
  /// The device then appears to lie still in its last position.
  private func rest(at time: HostTime) {
    let last = latest.load()
    reset()
    receive(AccelReading(time: max(time, last.time), x: last.x, y: last.y, z: last.z))
  }

  /// Returns all sources that `--accel` can name on this machine.
  package static func devices() -> [NamedDevice] { SensorKind.accel.devices() }
}
