import MoCore
import MoRuntime

/// A simulated player of a sensor: readings depend only on the time since the start, so they are the same in each run.
package final class SimulatedSource<Reading: SensorReading>: EventTimer {
  package let name: String
  private let start: HostTime
  private let rate: Int64
  private let readings: @Sendable (_ seconds: Double, _ time: HostTime) -> [Reading]
  private let deliver: @Sendable (Reading) -> Void
  private var count: Int64 = 0

  /// The spacing, in nanoseconds, of the times at which players may start.
  ///
  /// Players of the same rate then wake the machine at the same times, no more often than a single player.
  private static var grid: Int64 { 10_000_000 }

  /// - Parameters:
  ///   - name: the player's name, without `sim:`.
  ///   - start: the earliest time of the first reading, which comes up to 10 ms later.
  ///   - rate: the readings per second.
  ///   - readings: a function that returns the readings at a moment, which it gets as seconds after the start and as
  ///     host time.
  package init(
    _ name: String, start: HostTime, rate: Int64 = 100, deliver: @escaping @Sendable (Reading) -> Void,
    readings: @escaping @Sendable (Double, HostTime) -> [Reading]
  ) {
    self.name = "sim:\(name)"
    self.start = start.advanced(byNanoseconds: (Self.grid - start.nanoseconds % Self.grid) % Self.grid)
    self.rate = rate
    self.readings = readings
    self.deliver = deliver
  }

  package var nextTime: HostTime? { time(of: count) }

  package func service(until now: HostTime) {
    // After the machine has slept, the readings of the whole night do not come at once.
    let behind = (now.nanoseconds &- time(of: count).nanoseconds) / (1_000_000_000 / rate)
    if behind > 10 * rate { count += behind - rate }
    while time(of: count) <= now {
      let time = time(of: count)
      for reading in readings(Double(count) / Double(rate), time) { deliver(reading) }
      count += 1
    }
  }

  private func time(of count: Int64) -> HostTime {
    start.advanced(byNanoseconds: count * (1_000_000_000 / rate))
  }
}

/// A function that creates the simulated player for a sensor whose device is missing.
package typealias SimulatedPlayer<Reading: SensorReading> =
  @Sendable (SensorOpenContext<Reading>) -> any EventSource

extension SensorRow {
  /// Returns the row for a single simulated player in a sensor's table of sources.
  static func simulated(
    _ name: String, _ about: String, _ player: @escaping SimulatedPlayer<Reading>
  ) -> SensorRow {
    SensorRow(
      "sim", forms: ["sim:\(name)"], worksOffline: true,
      devices: { [NamedDevice(name: "sim:\(name)", about: about, isReal: false)] },
      open: { detail, opening in detail == name ? OpenSource(player(opening)) : nil })
  }
}

/// The terminal's keys as a stand-in for a device.
struct KeysStandIn<Reading: SensorReading>: Sendable {
  /// The words for the keys' effect in a text for the user, such as `the arrows turn`.
  let how: String
  /// Starts to receive keys; returns nil if there is no terminal.
  ///
  /// Until the first key, the simulated player plays.
  let open: @Sendable (SensorOpenContext<Reading>, @escaping SimulatedPlayer<Reading>) throws -> OpenSource?
}

extension SensorKind {
  /// Returns a function that opens the stand-in for a missing device: the terminal's keys or a simulated player.
  ///
  /// Except offline, the function also tells the user how to choose another source.
  ///
  /// - Parameters:
  ///   - missing: the words for the missing device in the text for the user, such as `gyroscope`.
  ///   - does: the words for the simulated player's action in that text, such as `turns`.
  ///   - keys: the terminal's keys for this sensor; nil if keys cannot play the sensor.
  static func standIn(
    missing: String, does: String, keys: KeysStandIn<Reading>? = nil,
    _ player: @escaping SimulatedPlayer<Reading>
  ) -> @Sendable (SensorOpenContext<Reading>, NamedDevice?) throws -> OpenSource {
    { opening, forbidden in
      // Offline, no user types.
      guard !opening.run.isOffline else { return OpenSource(player(opening)) }
      let keyed = try keys?.open(opening, player)
      let why =
        forbidden.map { "There is \($0.name), which \($0.about). Until then" } ?? "No \(missing) found:"
      let how = keyed == nil ? "" : keys.map { "\($0.how); until the first key " } ?? ""
      opening.run.notice(
        "\(why) \(how)a simulated player \(does). Choose with \(SensorError.typed(opening.option)) "
          + "\(SensorError.list(opening.forms)).")
      return keyed ?? OpenSource(player(opening))
    }
  }
}
