import Glibc
import MoProgram
import MoTime

/// A player that is not there: it lies still, shakes twice a second, or tilts slowly, to and fro and to the sides.
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
        return (Float(stroke), 0, 1)
      case .tilt:
        // To 45 degrees and back, forth in eight seconds and sideways in six: far too slow for a strike.
        let pitch = sin(2 * .pi * seconds / 8) * .pi / 4
        let roll = sin(2 * .pi * seconds / 6) * .pi / 4
        return (Float(sin(pitch)), Float(cos(pitch) * sin(roll)), Float(cos(pitch) * cos(roll)))
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

  static func source(_ player: Player, _ opening: SensorOpening<AccelReading>) -> any InputSource {
    SimulatedSource(player.rawValue, start: opening.run.clock.now, deliver: opening.deliver) {
      seconds, time in
      let (x, y, z) = player.acceleration(at: seconds)
      return [AccelReading(time: time, x: x, y: y, z: z)]
    }
  }
}
