import Glibc
import MoCore
import MoDSPCore
import MoRuntime

/// A simulated player, which leaves the device still, shakes it twice a second, tilts it slowly, or shakes and tilts
/// it.
package enum SimulatedAccelerometer {
  /// The player's movement.
  package enum Player: String, CaseIterable, Sendable {
    case still, shake, tilt, play

    /// Returns the acceleration in g, gravity included, the given number of seconds after the start.
    package func acceleration(at seconds: Double) -> (x: Float, y: Float, z: Float) {
      switch self {
      case .still:
        return (0, 0, 1)
      case .shake:
        return (0, shake(at: seconds), 1)
      case .tilt:
        return tilt(at: seconds)
      case .play:
        let (x, y, z) = tilt(at: seconds)
        return (x, y + shake(at: seconds), z)
      }
    }

    /// The acceleration of a shake, in g: a period of a sine, 120 ms long, begins every 0.5 s, the first after 0.25 s.
    private func shake(at seconds: Double) -> Float {
      let phase = (seconds + 0.25).truncatingRemainder(dividingBy: 0.5)
      return seconds >= 0.25 && phase < 0.12 ? Float(2.5 * sin(2 * .pi * phase / 0.12)) : 0
    }

    /// Gravity on a device that tilts up to 45 degrees, far too slowly for a strike.
    ///
    /// The sideways tilt is a sine with a period of six seconds; the tilt of the top edge is a sine with a period of
    /// eight seconds.
    private func tilt(at seconds: Double) -> (x: Float, y: Float, z: Float) {
      let (pitch, roll) = (45 * sin(2 * .pi * seconds / 8), 45 * sin(2 * .pi * seconds / 6))
      let up = Motion.Tilt(pitch: Float(pitch), roll: Float(roll)).up
      return (up.x, up.y, up.z)
    }
  }

  static let row = SensorRow<AccelReading>(
    "sim", forms: ["sim:still", "sim:shake", "sim:tilt", "sim:play"], worksOffline: true,
    devices: {
      [
        NamedDevice(name: "sim:shake", about: "a simulated player, two shakes a second", isReal: false),
        NamedDevice(name: "sim:tilt", about: "a simulated player that tilts", isReal: false),
        NamedDevice(name: "sim:play", about: "a simulated player that tilts and shakes", isReal: false),
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
