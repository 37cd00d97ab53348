import Glibc
import MoProgram
import MoTime

/// A player that is not there: it lies still, shakes twice a second, or tilts slowly to and fro.
///
/// What it does is a function of the time since its start alone, so it repeats exactly.
final class SimulatedAccelerometer: InputSource {
  /// What the player does.
  enum Player: String, CaseIterable, Sendable {
    case still, shake, tilt

    /// Acceleration in g, gravity included, so many seconds after the start.
    func acceleration(at seconds: Double) -> (x: Float, y: Float, z: Float) {
      switch self {
      case .still:
        return (0, 0, 1)
      case .shake:
        // A stroke of one full sine, 120 ms long, begins every half second, the first after a quarter.
        let phase = (seconds + 0.25).truncatingRemainder(dividingBy: 0.5)
        let stroke = seconds >= 0.25 && phase < 0.12 ? 2.5 * sin(2 * .pi * phase / 0.12) : 0
        return (Float(stroke), 0, 1)
      case .tilt:
        // To 45 degrees and back in eight seconds: far too slow for a strike.
        let angle = sin(2 * .pi * seconds / 8) * .pi / 4
        return (Float(sin(angle)), 0, Float(cos(angle)))
      }
    }
  }

  let name: String
  let descriptor: Int32? = nil
  private let player: Player
  private let start: HostTime
  private let deliver: AccelDelivery
  private var count: Int64 = 0

  /// Readings a second, as MoMu's fastest.
  private static let rate: Int64 = 100

  init(_ player: Player, start: HostTime, deliver: @escaping AccelDelivery) {
    name = "sim:\(player.rawValue)"
    self.player = player
    self.start = start
    self.deliver = deliver
  }

  var nextTime: HostTime? { time(of: count) }

  func service(until now: HostTime) {
    // A machine that slept does not get the whole night's readings at once.
    let behind = (now.nanoseconds &- time(of: count).nanoseconds) / (1_000_000_000 / Self.rate)
    if behind > 10 * Self.rate { count += behind - Self.rate }
    while time(of: count) <= now {
      let (x, y, z) = player.acceleration(at: Double(count) / Double(Self.rate))
      deliver(AccelReading(time: time(of: count), x: x, y: y, z: z))
      count += 1
    }
  }

  private func time(of count: Int64) -> HostTime {
    start.advanced(byNanoseconds: count * (1_000_000_000 / Self.rate))
  }
}
