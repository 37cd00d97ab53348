import Glibc
import MoCore
import MoDSPCore
import MoRuntime

/// A player that is not there: it lies still, shakes twice a second, or tilts slowly, to the sides and forth and back.
enum SimulatedAccelerometer {
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
        return (0, Float(stroke), 1)
      case .tilt:
        // To the right first and back in six seconds, the top up first and back in eight, to 45 degrees: far too slow
        // for a strike.
        let (pitch, roll) = (45 * sin(2 * .pi * seconds / 8), 45 * sin(2 * .pi * seconds / 6))
        let up = Motion.Tilt(pitch: Float(pitch), roll: Float(roll)).up
        return (up.x, up.y, up.z)
      }
    }
  }

  static let row = SensorRow<AccelReading>(
    "sim", forms: ["sim:still", "sim:shake", "sim:tilt"], worksOffline: true,
    devices: {
      [
        NamedDevice(name: "sim:shake", about: "a simulated player, two shakes a second", isReal: false),
        NamedDevice(name: "sim:tilt", about: "a simulated player who tilts", isReal: false),
        NamedDevice(name: "sim:still", about: "a device that lies still", isReal: false),
      ]
    },
    open: { name, opening in Player(rawValue: name ?? "").map { OpenSource(source($0, opening)) } })

  static func source(_ player: Player, _ opening: SensorOpenContext<AccelReading>) -> any EventSource {
    SimulatedSource(player.rawValue, start: opening.run.clock.now, deliver: opening.deliver) {
      seconds, time in
      let (x, y, z) = player.acceleration(at: seconds)
      return [AccelReading(time: time, x: x, y: y, z: z)]
    }
  }
}
