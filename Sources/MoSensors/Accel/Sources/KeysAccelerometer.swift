import MoProgram
import MoTime

/// An accelerometer played on the terminal's keys; until the first one, a simulated player may play.
final class KeysAccelerometer: InputSource {
  let name = "keys"
  private let clock: any TimeSource
  private let start: HostTime
  private let deliver: AccelDelivery
  private var player: SimulatedAccelerometer.Player?
  private var keys: KeyReader
  private var motion = KeyMotion()
  private var count: Int64 = 0

  private static let period: Int64 = 10_000_000

  /// - Parameters:
  ///   - descriptor: where keys are read from; the terminal's, made a keyboard by the caller.
  ///   - player: who plays until the first key, if anybody.
  init(
    descriptor: Int32, clock: any TimeSource, player: SimulatedAccelerometer.Player?,
    deliver: @escaping AccelDelivery
  ) {
    keys = KeyReader(descriptor)
    self.clock = clock
    self.player = player
    self.deliver = deliver
    start = clock.now
  }

  var nextTime: HostTime? { start.advanced(byNanoseconds: count * KeysAccelerometer.period) }

  var descriptor: Int32? { keys.descriptor }

  /// - Throws: `AccelError.wentAway` where the terminal was closed.
  func service(until now: HostTime) throws {
    let seconds = now.seconds(since: start)
    if keys.read().count(where: { motion.type($0, at: seconds) }) > 0 {
      player = nil
      // The stroke begins now: no waiting for the next reading that would be due.
      send(at: now)
      count = (now.nanoseconds - start.nanoseconds) / KeysAccelerometer.period + 1
    }
    if keys.descriptor == nil { throw AccelError.wentAway(name: name, reason: "the terminal was closed") }
    guard let due = nextTime, due <= now else { return }
    send(at: now)
    count = (now.nanoseconds - start.nanoseconds) / KeysAccelerometer.period + 1
  }

  private func send(at time: HostTime) {
    let seconds = time.seconds(since: start)
    let (x, y, z) = player?.acceleration(at: seconds) ?? motion.acceleration(at: seconds)
    deliver(AccelReading(time: time, x: x, y: y, z: z))
  }
}
