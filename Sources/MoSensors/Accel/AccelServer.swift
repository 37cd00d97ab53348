import MoMotion
import MoProgram
import MoRealTime
import MoTime
import Synchronization

/// What stands behind `MoAccel`: chooses the source, works out what its readings mean, tells the program.
///
/// - Thread: any; callbacks run on the `mo-input` thread.
package final class AccelServer: Sendable {
  /// The one that `MoAccel` shows.
  package static let shared = AccelServer()

  /// Shortest and longest `updateInterval` but 0, in seconds; MoMu's own.
  static let intervals = 0.01...1.0

  let callbacks = CallbackList<Motion>()
  let strikeCallbacks = CallbackList<Float>()
  let events = CallbackList<AccelEvent>()
  let latest = LatestValue(Motion.still)
  private let lifecycle = MoMutex()
  private let session = Guarded<AccelSession?>(nil)
  private let processing = Guarded(Processing())
  private let interval = Atomic<Int64>(0)
  private let strikeCount = Atomic<Int>(0)
  private let strikeForce = Atomic<UInt32>(0)

  private struct Processing {
    var features = MotionFeatures()
    var delivered = HostTime.distantPast
    var recorder: AccelRecorder?
  }

  /// Strikes so far, and the force of the last.
  package var strikes: (count: Int, lastForce: Float) {
    (strikeCount.load(ordering: .relaxed), Float(bitPattern: strikeForce.load(ordering: .relaxed)))
  }

  /// Seconds between two calls of a callback at least; 0 for every reading.
  var updateInterval: Double {
    get { Double(interval.load(ordering: .relaxed)) * 1e-9 }
    set {
      let seconds =
        newValue > 0 ? min(max(newValue, Self.intervals.lowerBound), Self.intervals.upperBound) : 0
      interval.store(Int64(seconds * 1e9), ordering: .relaxed)
    }
  }

  /// What is read now, as options name it.
  var sourceName: String? { session.withLock { $0 }?.sourceName }

  /// Starts to read; nothing where it reads already.
  ///
  /// - Parameter source: as `--accel` names it, which overrides it; nil for the best there is.
  /// - Throws: `AccelError`.
  func start(source: String?, in run: Run) throws {
    lifecycle.acquire()
    defer { lifecycle.release() }
    guard session.withLock({ $0 == nil }) else { return }
    let target = try AccelTarget(run.options.accel ?? source)
    processing.withLock { $0 = Processing() }
    let opened = AccelSession(
      target: target, run: run,
      deliver: { [weak self] in self?.take($0) },
      tell: { [weak self] in self?.handle($0, run) })
    try opened.begin()
    if let path = run.options.recordTape {
      do {
        let recorder = try AccelRecorder(
          path: path, source: opened.sourceName ?? "accel", start: run.clock.now, isOffline: run.isOffline
        ) { [weak self] reason in self?.handle(.recordingEnded(reason: reason), run) }
        processing.withLock { $0.recorder = recorder }
      } catch {
        opened.end()
        throw error
      }
    }
    session.withLock { $0 = opened }
  }

  /// Stops to read; callbacks stay for the next start.
  func stop() {
    lifecycle.acquire()
    defer { lifecycle.release() }
    let ending = session.withLock { session in
      defer { session = nil }
      return session
    }
    ending?.end()
    let recorder = processing.withLock { processing in
      defer { processing.recorder = nil }
      return processing.recorder
    }
    recorder?.close()
  }

  /// Takes in one reading: works it out, keeps it, calls the program.
  func take(_ reading: AccelReading) {
    let (motion, isDue) = processing.withLock { processing -> (Motion?, Bool) in
      processing.recorder?.record(reading)
      guard
        let motion = processing.features.read(time: reading.time, x: reading.x, y: reading.y, z: reading.z)
      else { return (nil, false) }
      latest.store(motion)
      // A strike or tap waits for nobody. A percent of tolerance keeps an even stream from skipping every other one.
      let due = processing.delivered.advanced(
        byNanoseconds: processing.delivered == .distantPast ? 0 : interval.load(ordering: .relaxed) / 100 * 99
      )
      let isDue = motion.jerk != nil || motion.tap != nil || motion.time >= due
      if isDue { processing.delivered = motion.time }
      return (motion, isDue)
    }
    guard let motion, isDue else { return }
    if let force = motion.jerk {
      strikeForce.store(force.bitPattern, ordering: .relaxed)
      strikeCount.wrappingAdd(1, ordering: .relaxed)
    }
    callbacks.call(motion)
    if let force = motion.jerk { strikeCallbacks.call(force) }
  }

  /// Leaves the device as it was last held, but still: nobody moves it any more.
  private func rest(at time: HostTime) {
    let last = latest.load()
    processing.withLock { processing in
      processing.features = MotionFeatures()
      processing.delivered = .distantPast
    }
    take(AccelReading(time: max(time, last.time), x: last.x, y: last.y, z: last.z))
  }

  private func handle(_ event: AccelEvent, _ run: Run) {
    switch event {
    case .using(let name):
      run.notice("Reading \(name).")
      // Another sensor is held another way: the change must not be taken for a movement.
      processing.withLock { $0.features = MotionFeatures() }
    case .lost(_, let reason):
      MoLog.log(.warning, reason)
      rest(at: run.clock.now)
    case .recordingEnded(let reason):
      MoLog.log(.warning, reason)
    }
    events.call(event)
  }

  /// Everything that `--accel` can name here.
  package static func devices() -> [NamedDevice] {
    EvdevList.accelerometers().map { path in
      NamedDevice(name: "evdev:\(path)", about: EvdevList.title(path), isReal: true)
    }
      + EvdevList.forbidden().map { path in
        NamedDevice(
          name: "evdev:\(path)",
          about: "may not be read: sudo usermod -aG input $USER, then log in again", isReal: true)
      } + [
        NamedDevice(name: "keys", about: "the terminal's keys: space shakes, arrows tilt", isReal: false),
        NamedDevice(
          name: "net", about: "a phone with TouchOSC, ZIG SIM or Sensors2OSC; net:PORT for another port",
          isReal: false),
        NamedDevice(name: "sim:shake", about: "a simulated player, two shakes a second", isReal: false),
        NamedDevice(name: "sim:tilt", about: "a simulated player who tilts", isReal: false),
        NamedDevice(name: "sim:still", about: "a device that lies still", isReal: false),
        NamedDevice(name: "tape:FILE", about: "a recorded tape", isReal: false),
      ]
  }
}
