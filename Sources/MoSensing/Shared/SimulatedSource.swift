import MoCore
import MoRuntime

/// A player that is not there: what it does is a function of the time since its start alone, so it repeats exactly.
package final class SimulatedSource<Reading: SensorReading>: EventSource {
  package let name: String
  package let descriptor: Int32? = nil
  private let start: HostTime
  private let rate: Int64
  private let readings: @Sendable (_ seconds: Double, _ time: HostTime) -> [Reading]
  private let deliver: @Sendable (Reading) -> Void
  private var count: Int64 = 0

  /// In nanoseconds: all players begin on one grid, so that several at one rate wake the machine no more often than one.
  private static var grid: Int64 { 10_000_000 }

  /// - Parameters:
  ///   - name: what the player is called, without `sim:`.
  ///   - start: the first reading comes then, or within 10 ms.
  ///   - rate: readings a second.
  ///   - readings: what is read so many seconds after the start.
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
    // A machine that slept does not get the whole night's readings at once.
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
