import MoCore
import MoDSPCore
import MoRuntime

/// The accelerometer: the motion of the device, by callback or by polling.
///
/// ```swift
/// try MoAccel.addCallback { motion in
///   if let force = motion.strike { print("struck", force) }
/// }
/// ```
///
/// The accelerometer starts at first use, with the device that `--accel` names, or the best device. Without a device,
/// the terminal's keys or a simulated player stand in until a device appears.
///
/// - Thread: any but the audio callback, unless a property or function states otherwise.
public enum MoAccel {
  /// Calls `callback` with every motion, at most once per `updateInterval`.
  ///
  /// A motion with a strike or a tap is passed on immediately.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `AccelError` if the source cannot be opened; `NetError` for the source `net`.
  /// - Thread: the callback runs on `mo-input`; in an offline run, on the main thread; for `update`, on its caller's
  ///   thread.
  @discardableResult
  public static func addCallback(_ callback: @escaping @Sendable (Motion) -> Void) throws -> MoToken {
    let token = AccelServer.shared.callbacks.add(callback)
    try startOrCancel(token)
    return token
  }

  /// Calls `callback` with the force, 0 … 1, and the time of every strike.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `AccelError` if the source cannot be opened; `NetError` for the source `net`.
  /// - Thread: the callback runs on `mo-input`; in an offline run, on the main thread; for `update`, on its caller's
  ///   thread.
  @discardableResult
  public static func onStrike(_ callback: @escaping @Sendable (Float, HostTime) -> Void) throws -> MoToken {
    let token = AccelServer.shared.strikeCallbacks.add { callback($0.force, $0.time) }
    try startOrCancel(token)
    return token
  }

  /// Calls `callback` when a source is lost or found, and with each report about the recording to a tape.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-input`, on `mo-disk`, or on the thread that starts or stops the sensor.
  @discardableResult
  public static func onEvent(_ callback: @escaping @Sendable (AccelEvent) -> Void) -> MoToken {
    AccelServer.shared.events.add(callback)
  }

  /// Starts to read the accelerometer; needed only to choose a source, or to start again after `stop()`.
  ///
  /// The call does nothing while a source is read: to change the source, call `stop()` first.
  ///
  /// - Parameter source: `evdev:PATH`, `iio:N`, `keys`, `net`, `sim:still`, `sim:shake`, `sim:tilt`, `sim:play` or
  ///   `tape:FILE`; nil for the best available source. If the option `--accel` is given, it overrides this parameter.
  /// - Throws: `AccelError`, whose text says what to do; `NetError` for the source `net`.
  public static func start(source: String? = nil) throws {
    try AccelServer.shared.start(source: source, in: .current)
  }

  /// Stops reading and closes the device; callbacks stay for the next start.
  public static func stop() { AccelServer.shared.stop() }

  /// The source that is read now, as `--accel` names it; nil while stopped, and while a named device is missing.
  public static var source: String? { AccelServer.shared.sourceName }

  /// The latest motion; before the first reading, the motion of a device that lies flat and still.
  ///
  /// All values of the motion are from one moment.
  ///
  /// - Thread: any.
  /// - Real-time safe: yes, after `MoAccel` has been used outside the callback.
  public static var reading: Motion { AccelServer.shared.latest.load() }

  /// The latest acceleration along x in g, gravity included.
  ///
  /// - Real-time safe: as `reading`.
  public static var x: Double { Double(reading.x) }

  /// The latest acceleration along y in g, gravity included.
  ///
  /// - Real-time safe: as `reading`.
  public static var y: Double { Double(reading.y) }

  /// The latest acceleration along z in g, gravity included.
  ///
  /// - Real-time safe: as `reading`.
  public static var z: Double { Double(reading.z) }

  /// The shortest time between two calls of a callback, in seconds: 0.01 … 1, or 0 for a call at every motion.
  ///
  /// Values above 0 are clamped; negative values and NaN count as 0. The interval also applies to `MoOrientation` and
  /// `MoCompass`, which are computed from these motions.
  public static var updateInterval: Double {
    get { AccelServer.shared.updateInterval }
    set { AccelServer.shared.updateInterval = newValue }
  }

  /// Handles an acceleration in g that the program provides, as if a device had sent it now.
  ///
  /// NaN and infinity are ignored. The reading is also recorded on the tape.
  ///
  /// - Thread: any, but one at a time; the callbacks run on the calling thread.
  public static func update(x: Double, y: Double, z: Double) {
    let reading = AccelReading(time: Run.current.clock.now, x: Float(x), y: Float(y), z: Float(z))
    AccelServer.shared.receive(reading)
  }

  private static func startOrCancel(_ token: MoToken) throws {
    do {
      try start()
    } catch {
      token.cancel()
      throw error
    }
  }
}

extension SensorKind<AccelReading> {
  /// The accelerometer as a kind of sensor, with the sources that `--accel` can name.
  package static var accel: SensorKind {
    SensorKind(
      option: "accel", noun: "an accelerometer", isListed: true, doctorWord: "accelerometer",
      curves: .values("x", "y", "z", unit: "g"),
      rows: [
        EvdevAccelerometer.row,
        // In m/s².
        IIOList.row(channel: "accel") { AccelReading(time: $0, axes: $1 / PhoneLayout.metresPerG) },
        KeysAccelerometer.row, PhoneAccelerometer.row, SimulatedAccelerometer.row, TapeSource.row,
      ],
      standIn: standIn)
  }

  /// Opens the source that stands in for a missing device: the terminal's keys, or a simulated player if there is no
  /// terminal.
  private static func standIn(
    _ opening: SensorOpenContext<AccelReading>, _ forbidden: NamedDevice?
  ) throws -> OpenSource {
    guard !opening.run.isOffline else { return OpenSource(SimulatedAccelerometer.source(.shake, opening)) }
    let keys = try KeysAccelerometer.source(player: .shake, opening)
    let how =
      "Choose with --accel evdev:PATH, keys, net, sim:tilt or tape:FILE (--list-devices shows what is here)."
    let missing =
      forbidden.map { device in
        let path = device.name.split(separator: ":").last ?? ""
        return "There is \(SensorError.noPermission(path: String(path))). Until then"
      } ?? "No accelerometer found:"
    opening.run.notice(
      keys != nil
        ? "\(missing) space shakes, the arrows tilt; until the first key a simulated player does. \(how)"
        : "\(missing) a simulated player shakes. \(how)")
    return keys ?? OpenSource(SimulatedAccelerometer.source(.shake, opening))
  }
}

/// A reading of an accelerometer.
package struct AccelReading: AxesReading {
  package static let address = "/momu/accel"

  /// The value before the first measurement: the acceleration of a device that lies flat and still.
  package static var initial: Self { Self(time: .zero, x: 0, y: 0, z: 1) }

  /// The time of the measurement.
  package var time: HostTime
  /// The acceleration along the device's x axis in g, gravity included; `y` and `z` are the same for the other axes.
  package var x: Float
  package var y: Float
  package var z: Float

  package init(time: HostTime, x: Float, y: Float, z: Float) {
    self.time = time
    self.x = x
    self.y = y
    self.z = z
  }

  /// The reading that is valid when the sensor sends nothing more: this reading itself.
  ///
  /// A silent device is still held in the same position, and gravity still acts on it.
  package var atRest: AccelReading? { self }
}

/// A function that receives the readings of a source.
package typealias AccelDelivery = @Sendable (AccelReading) -> Void

/// An error of an accelerometer that cannot be read.
public typealias AccelError = SensorError

/// An event of the accelerometer's source: for example, the source is lost, or found again.
public typealias AccelEvent = SensorEvent
