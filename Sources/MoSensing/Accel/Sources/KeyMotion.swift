import Glibc
import MoDSPCore
import MoRuntime

/// What keys do to an imagined device: space shakes it, right and left tip it to the sides, up raises its top edge.
struct KeyMotion {
  /// How it is to be held, in degrees, as `Motion.Tilt`.
  private(set) var pitch = 0.0
  private(set) var roll = 0.0
  /// How it was held when the last arrow came, and when that was.
  private var from = (pitch: 0.0, roll: 0.0, seconds: 0.0)
  /// When the last stroke began, in seconds; nil before the first.
  private var strokeStart: Double?

  /// Short enough to leave a moment of rest between two strokes of a held space bar.
  private static let strokeSeconds = 0.06
  private static let strokeSize = 2.5
  /// How long the device takes to follow an arrow, so that a held one does not strike.
  private static let tiltSeconds = 0.1
  /// A held space bar repeats 25 to 30 times a second; a hand shakes eight times at the most.
  private static let shortestPause = 0.125
  private static let tiltStep = 10.0
  private static let steepest = 80.0

  /// Takes in a key typed at a moment, in seconds; whether it is one that plays.
  mutating func type(_ key: TerminalKey, at seconds: Double) -> Bool {
    if key == .character(" ") {
      if seconds - (strokeStart ?? -1) >= KeyMotion.shortestPause { strokeStart = seconds }
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

  /// Acceleration in g, gravity included, and the stroke along y, so that it does not change the tilt to the sides.
  func acceleration(at seconds: Double) -> (x: Float, y: Float, z: Float) {
    var stroke = 0.0
    if let strokeStart, seconds - strokeStart < KeyMotion.strokeSeconds {
      // A cosine that dies away: at its strongest at once, so that the key is heard when it is pressed.
      let part = (seconds - strokeStart) / KeyMotion.strokeSeconds
      stroke = KeyMotion.strokeSize * cos(2 * .pi * part) * (1 - part)
    }
    let (pitch, roll) = tilt(at: seconds)
    let up = Motion.Tilt(pitch: Float(pitch), roll: Float(roll)).up
    return (up.x, up.y + Float(stroke), up.z)
  }

  /// How the device is held on its way to where the arrows want it.
  private func tilt(at seconds: Double) -> (pitch: Double, roll: Double) {
    let left = exp(-max(0, seconds - from.seconds) / KeyMotion.tiltSeconds)
    return (pitch + (from.pitch - pitch) * left, roll + (from.roll - roll) * left)
  }
}
