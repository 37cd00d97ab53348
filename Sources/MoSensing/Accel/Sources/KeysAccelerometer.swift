import MoCore
import MoRuntime

/// An accelerometer that is played on the terminal's keys; a simulated player may play until the first key.
///
/// - Thread: `mo-input`, which reads the terminal and calls `take` for each typed key.
final class KeysAccelerometer: EventSource {
  let name = "keys"
  let descriptor: Int32? = nil
  private let clock: any TimeSource
  private let start: HostTime
  private let deliver: AccelDelivery
  private var player: SimulatedAccelerometer.Player?
  private var motion = KeyMotion()
  private var count: Int64 = 0
  private var isClosed = false

  private static let period: Int64 = 10_000_000

  /// - Parameter player: the player until the first key; nil for none.
  init(clock: any TimeSource, player: SimulatedAccelerometer.Player?, deliver: @escaping AccelDelivery) {
    self.clock = clock
    self.player = player
    self.deliver = deliver
    start = clock.now
  }

  var nextTime: HostTime? { start.advanced(byNanoseconds: count * KeysAccelerometer.period) }

  /// Starts the movement that a key causes, a shake or a tilt; returns false if the key causes no movement.
  func take(_ key: TerminalKey, at now: HostTime) -> Bool {
    guard motion.type(key, at: now.seconds(since: start)) else { return false }
    player = nil
    // The stroke begins now, without waiting for the next reading.
    send(at: now)
    return true
  }

  /// Ends the source: no more keys will come.
  func close() { isClosed = true }

  /// - Throws: `AccelError.wentAway` if the terminal was closed.
  func service(until now: HostTime) throws {
    if isClosed { throw AccelError.wentAway(name: name, reason: "the terminal was closed") }
    if let due = nextTime, due <= now { send(at: now) }
  }

  private func send(at time: HostTime) {
    let seconds = time.seconds(since: start)
    let (x, y, z) = player?.acceleration(at: seconds) ?? motion.acceleration(at: seconds)
    deliver(AccelReading(time: time, x: x, y: y, z: z))
    count = (time.nanoseconds - start.nanoseconds) / KeysAccelerometer.period + 1
  }
}
