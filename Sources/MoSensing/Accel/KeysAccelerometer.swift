import Glibc
import MoCore
import MoDSPCore
import MoRuntime

/// An accelerometer that is played on the terminal's keys; a simulated player may play until the first key.
///
/// - Thread: `mo-input`, which reads the terminal and calls `handleKey` for each typed key.
package final class KeysAccelerometer: EventTimer {
  package let name = "keys"
  private let clock: any TimeSource
  private let start: HostTime
  private let deliver: AccelDelivery
  private var player: SimulatedAccelerometer.Player?
  private var motion = KeyMotion()
  private var count: Int64 = 0
  private var isClosed = false

  private static let period: Int64 = 10_000_000

  /// - Parameter player: the player until the first key; nil for none.
  package init(
    clock: any TimeSource, player: SimulatedAccelerometer.Player?, deliver: @escaping AccelDelivery
  ) {
    self.clock = clock
    self.player = player
    self.deliver = deliver
    start = clock.now
  }

  package var nextTime: HostTime? { start.advanced(byNanoseconds: count * KeysAccelerometer.period) }

  /// Starts the movement that a key causes, a shake or a tilt; returns false if the key causes no movement.
  package func handleKey(_ key: TerminalKey, at now: HostTime) -> Bool {
    guard motion.type(key, at: now.seconds(since: start)) else { return false }
    player = nil
    // The shake begins now, without waiting for the next reading.
    send(at: now)
    return true
  }

  /// Ends the source: no more keys will come.
  package func close() { isClosed = true }

  /// - Throws: `AccelError.wentAway` if the terminal was closed.
  package func service(until now: HostTime) throws {
    if isClosed { throw AccelError.wentAway(name: name, reason: "the terminal was closed") }
    if isDue(at: now) { send(at: now) }
  }

  private func send(at time: HostTime) {
    let seconds = time.seconds(since: start)
    let (x, y, z) = player?.acceleration(at: seconds) ?? motion.acceleration(at: seconds)
    deliver(AccelReading(time: time, x: x, y: y, z: z))
    count = (time.nanoseconds - start.nanoseconds) / KeysAccelerometer.period + 1
  }
}

extension KeysAccelerometer {
  static let row = SensorRow<AccelReading>(
    "keys", forms: ["keys"],
    devices: {
      [NamedDevice(name: "keys", about: "the terminal's keys: space shakes, arrows tilt", isReal: false)]
    },
    open: { detail, opening in
      guard detail == nil else { return nil }
      guard let keys = try source(player: nil, opening) else {
        throw SensorError.noTerminal(option: opening.option)
      }
      return keys
    })

  /// Returns an accelerometer that is played on the terminal's keys; nil if there is no terminal.
  ///
  /// The accelerometer gets each key before the console. It uses only the space bar and the four arrow keys, so the
  /// console still gets all other keys.
  static func source(
    player: SimulatedAccelerometer.Player?, _ opening: SensorOpenContext<AccelReading>
  ) throws -> OpenSource? {
    let source = KeysAccelerometer(clock: opening.run.clock, player: player, deliver: opening.deliver)
    // The input loop services the source and passes it the keys, one call at a time.
    nonisolated(unsafe) let handed = source
    do {
      let token = try opening.run.keys.add(
        to: opening.run.input, rank: .first, { handed.handleKey($0, at: $1) }, closed: { handed.close() })
      return token.map { token in OpenSource(source, close: { token.cancel() }) }
    } catch {
      throw SensorError.noThread(reason: "\(error)")
    }
  }
}

/// The simulated motion of a device by keys: space shakes it, right and left tip it sideways, up and down tip its top
/// edge.
package struct KeyMotion {
  /// The pitch in degrees, as in `Motion.Tilt`, that the arrow keys have set; the device turns to this pitch within a
  /// few tenths of a second.
  package private(set) var pitch = 0.0
  package private(set) var roll = 0.0
  /// The tilt of the device in degrees when the last arrow key was typed, and the time of this key in seconds.
  private var from = (pitch: 0.0, roll: 0.0, seconds: 0.0)
  /// The time when the last shake began, in seconds; nil before the first shake.
  private var shakeStart: Double?

  package init() {}

  /// The length of a simulated shake, in seconds.
  ///
  /// A shake is shorter than the interval of the key's repeat. So the device rests between two shakes while the space
  /// bar is held.
  private static let shakeSeconds = 0.06
  private static let shakeSize = 2.5
  /// The time constant with which the device follows an arrow key, in seconds: so slow that no arrow key causes a
  /// strike.
  private static let tiltSeconds = 0.1
  /// The shortest time from the beginning of a shake to the next, in seconds.
  ///
  /// A held space bar repeats at 25 to 30 Hz, but a hand shakes at 8 Hz at most.
  private static let shortestPause = 0.125
  private static let tiltStep = 10.0
  private static let steepest = 80.0

  /// Handles a key that was typed at the time `seconds`; returns whether this key moves the device.
  package mutating func type(_ key: TerminalKey, at seconds: Double) -> Bool {
    if key == .character(" ") {
      if seconds - (shakeStart ?? -1) >= KeyMotion.shortestPause { shakeStart = seconds }
      return true
    }
    let held = tilt(at: seconds)
    switch key {
    case .up: pitch = min(pitch + KeyMotion.tiltStep, KeyMotion.steepest)
    case .down: pitch = max(pitch - KeyMotion.tiltStep, -KeyMotion.steepest)
    case .right: roll = min(roll + KeyMotion.tiltStep, KeyMotion.steepest)
    case .left: roll = max(roll - KeyMotion.tiltStep, -KeyMotion.steepest)
    default: return false
    }
    from = (held.pitch, held.roll, seconds)
    return true
  }

  /// Returns the acceleration in g, gravity included.
  ///
  /// A shake accelerates the device along y only, so it does not change the sideways tilt.
  package func acceleration(at seconds: Double) -> (x: Float, y: Float, z: Float) {
    var shake = 0.0
    if let shakeStart, seconds - shakeStart < KeyMotion.shakeSeconds {
      // A decaying cosine: strongest at its start, so that the sound comes when the key is pressed.
      let part = (seconds - shakeStart) / KeyMotion.shakeSeconds
      shake = KeyMotion.shakeSize * cos(2 * .pi * part) * (1 - part)
    }
    let (pitch, roll) = tilt(at: seconds)
    let up = Motion.Tilt(pitch: Float(pitch), roll: Float(roll)).up
    return (up.x, up.y + Float(shake), up.z)
  }

  /// Returns the tilt in degrees at a time, on the way to the tilt that the arrow keys have set.
  private func tilt(at seconds: Double) -> (pitch: Double, roll: Double) {
    let left = exp(-max(0, seconds - from.seconds) / KeyMotion.tiltSeconds)
    return (pitch + (from.pitch - pitch) * left, roll + (from.roll - roll) * left)
  }
}
