import Glibc
import MoCore
import MoRuntime

/// The position of the device by satellite navigation, read from gpsd.
///
/// ```swift
/// try MoLocation.addCallback { fix in tempo.value = 60 + 20 * (fix.speed ?? 0) }
/// try MoLocation.onMove { fix, previous in print(fix.metres(to: previous)) }
/// ```
///
/// Its sources are `gpsd` (on this machine, or `gpsd:HOST:PORT`), `net`, `sim:walk` and `tape:FILE`.
public enum MoLocation: SensorFace {
  /// The server that opens the sensor, and delivers its readings to callbacks.
  public static let server = SensorServer<Fix>(.location)

  /// Calls `callback` with every fix and the fix before it, from the second fix on.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `SensorError` if the source cannot be opened; `NetError` for the source `net`.
  /// - Thread: the callback runs on `mo-input`; in an offline run, on the main thread; for `update`, on its caller's
  ///   thread.
  @discardableResult
  public static func onMove(
    _ callback: @escaping @Sendable (_ fix: Fix, _ previous: Fix) -> Void
  ) throws -> MoToken {
    let previous = Locked<Fix?>(nil)
    return try addCallback { fix in
      let before = previous.withLock { previous in
        defer { previous = fix }
        return previous
      }
      if let before { callback(fix, before) }
    }
  }
}

extension SensorKind<Fix> {
  package static let location = SensorKind(
    option: "MoLocation", noun: "a receiver of satellites", usual: "gpsd", nature: .events,
    curves: .arguments([
      .init(place: 3, name: "speed", unit: "m/s", pane: "speed"),
      .init(place: 2, name: "altitude", unit: "m", pane: "altitude"),
    ]),
    rows: [
      GPSDSource.row, NetReadings.row(),
      .simulated("walk", "a walk around a square of 100 m, in two minutes", walk), TapeSource.row,
    ],
    // gpsd may start at any time, and its receiver's first fix takes a minute.
    standIn: { opening, _ in
      opening.run.isOffline ? OpenSource(walk(opening)) : try GPSDSource.open(nil, opening)
    })

  /// A player that goes around a square of 100 m, the inner court of the Louvre, in two minutes, with one fix a second.
  private static let walk: @Sendable (SensorOpenContext<Fix>) -> any EventSource = { opening in
    SimulatedSource("walk", start: opening.run.clock.now, rate: 1, deliver: opening.deliver) {
      seconds, time in
      let side = 100.0
      let speed = 4 * side / 120
      let way = (seconds * speed).truncatingRemainder(dividingBy: 4 * side)
      let (leg, along) = (Int(way / side) % 4, way.truncatingRemainder(dividingBy: side))
      // North, east, south, west.
      let north = [along, side, side - along, 0][leg]
      let east = [0, along, side, side - along][leg]
      let latitude = 48.8604
      let metres = 111_195.0
      return [
        Fix(
          time: time, latitude: latitude + north / metres,
          longitude: 2.3386 + east / (metres * cos(latitude * .pi / 180)), altitude: 35, speed: Float(speed),
          course: Float(leg * 90), accuracy: 5, verticalAccuracy: 10, utc: 1_800_000_000 + seconds)
      ]
    }
  }
}
