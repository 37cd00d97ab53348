import Glibc
import MoProgram
import MoTime

/// An accelerometer played on the terminal's keys; until the first one, a simulated player may play.
final class KeysAccelerometer: InputSource {
  let name = "keys"
  let descriptor: Int32?
  private let clock: any TimeSource
  private let start: HostTime
  private let deliver: AccelDelivery
  private var player: SimulatedAccelerometer.Player?
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
    self.descriptor = descriptor
    self.clock = clock
    self.player = player
    self.deliver = deliver
    start = clock.now
  }

  var nextTime: HostTime? { start.advanced(byNanoseconds: count * KeysAccelerometer.period) }

  func service(until now: HostTime) throws {
    let typed = try readKeys()
    if !typed.isEmpty, motion.type(typed, at: now.seconds(since: start)) {
      player = nil
      // The stroke begins now: no waiting for the next reading that would be due.
      send(at: now)
      count = (now.nanoseconds - start.nanoseconds) / KeysAccelerometer.period + 1
    }
    guard let due = nextTime, due <= now else { return }
    send(at: now)
    count = (now.nanoseconds - start.nanoseconds) / KeysAccelerometer.period + 1
  }

  private func send(at time: HostTime) {
    let seconds = time.seconds(since: start)
    let (x, y, z) = player?.acceleration(at: seconds) ?? motion.acceleration(at: seconds)
    deliver(AccelReading(time: time, x: x, y: y, z: z))
  }

  /// - Throws: `AccelError.wentAway` where the terminal was closed.
  private func readKeys() throws(AccelError) -> [UInt8] {
    guard let descriptor else { return [] }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 0) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else {
      if count < 0 && (errno == EINTR || errno == EAGAIN) { return [] }
      throw .wentAway(name: name, reason: "the terminal was closed")
    }
    return Array(bytes[..<count])
  }
}
