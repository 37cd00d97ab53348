import MoCore
import MoRuntime

/// What every sensor can be asked, by callback or by a look.
///
/// ```swift
/// try MoGyro.addCallback { rotation in print(rotation.z) }
/// ```
///
/// A sensor starts at first use, with the source that its option names, or the best there is; with none, a simulated
/// player stands in, and devices that come later are used.
///
/// - Thread: any but the audio callback, except where a member says otherwise.
public protocol SensorFace {
  /// What it reads.
  associatedtype Reading: SensorReading

  /// What stands behind it.
  static var server: SensorServer<Reading> { get }
}

extension SensorFace {
  /// Calls `callback` with every reading, at most once every `updateInterval`.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `SensorError` where the source cannot be opened.
  /// - Thread: the callback runs on the `mo-input` thread.
  @discardableResult
  public static func addCallback(_ callback: @escaping @Sendable (Reading) -> Void) throws -> MoToken {
    let token = server.callbacks.add(callback)
    do {
      try start()
    } catch {
      token.cancel()
      throw error
    }
    return token
  }

  /// Calls `callback` when a source is lost or found, or a tape can be recorded no more.
  @discardableResult
  public static func onEvent(_ callback: @escaping @Sendable (SensorEvent) -> Void) -> MoToken {
    server.intake.events.add(callback)
  }

  /// Starts to read; needed only to name a source, or to start again after `stop()`.
  ///
  /// - Parameter source: as the sensor's option names it, which overrides it; nil for the best there is.
  /// - Throws: `SensorError`, whose text says what to do.
  public static func start(source: String? = nil) throws { try server.start(source: source, in: .current) }

  /// Stops to read and lets go of the device; callbacks stay for the next start.
  public static func stop() { server.stop() }

  /// What is read now, as the option names it; nil while stopped.
  public static var source: String? { server.intake.sourceName }

  /// The latest reading, whole.
  ///
  /// - Real-time safe: yes, once the sensor has been used outside the callback.
  public static var reading: Reading { server.latest.load() }

  /// Seconds between two calls of a callback at least: 0 for every reading, else 0.01 … 1.
  public static var updateInterval: Double {
    get { server.pace.interval }
    set { server.pace.interval = newValue }
  }

  /// Takes in a reading made elsewhere, as if a device had sent it.
  ///
  /// - Thread: one at a time.
  public static func update(_ reading: Reading) { server.take(reading) }
}
