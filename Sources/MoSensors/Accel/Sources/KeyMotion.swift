import Glibc

/// What keys do to an imagined device: space shakes it, arrows tilt it.
struct KeyMotion {
  /// How it is to be held, in radians.
  private(set) var pitch = 0.0
  private(set) var roll = 0.0
  /// How it was held when the last arrow came, and when that was.
  private var from = (pitch: 0.0, roll: 0.0, seconds: 0.0)
  /// When the last stroke began, in seconds; nil before the first.
  private var strokeStart: Double?
  private var parser = KeyParser()

  /// Short enough to leave a moment of rest between two strokes of a held space bar.
  private static let strokeSeconds = 0.06
  private static let strokeSize = 2.5
  /// How long the device takes to follow an arrow, so that a held one does not strike.
  private static let tiltSeconds = 0.1
  /// A held space bar repeats 25 to 30 times a second; a hand shakes eight times at the most.
  private static let shortestPause = 0.125
  private static let tiltStep = Double.pi / 18
  private static let steepest = Double.pi * 4 / 9

  /// Takes in what was typed at a moment, in seconds; whether any of it was a key that plays.
  mutating func type(_ bytes: [UInt8], at seconds: Double) -> Bool {
    var played = false
    for key in bytes.compactMap({ parser.key(after: $0) }) {
      played = true
      let held = tilt(at: seconds)
      if key != .space { from = (held.pitch, held.roll, seconds) }
      switch key {
      case .space where seconds - (strokeStart ?? -1) >= KeyMotion.shortestPause: strokeStart = seconds
      case .space: break
      case .up: pitch = min(pitch + KeyMotion.tiltStep, KeyMotion.steepest)
      case .down: pitch = max(pitch - KeyMotion.tiltStep, -KeyMotion.steepest)
      case .right: roll = min(roll + KeyMotion.tiltStep, KeyMotion.steepest)
      case .left: roll = max(roll - KeyMotion.tiltStep, -KeyMotion.steepest)
      }
    }
    return played
  }

  /// Acceleration in g, gravity included: the inverse of `Motion.Tilt`'s angles, and the stroke along x.
  func acceleration(at seconds: Double) -> (x: Float, y: Float, z: Float) {
    var stroke = 0.0
    if let strokeStart, seconds - strokeStart < KeyMotion.strokeSeconds {
      // A cosine that dies away: at its strongest at once, so that the key is heard when it is pressed.
      let part = (seconds - strokeStart) / KeyMotion.strokeSeconds
      stroke = KeyMotion.strokeSize * cos(2 * .pi * part) * (1 - part)
    }
    let (pitch, roll) = tilt(at: seconds)
    return (
      Float(-sin(pitch) + stroke), Float(cos(pitch) * sin(roll)), Float(cos(pitch) * cos(roll))
    )
  }

  /// How the device is held on its way to where the arrows want it.
  private func tilt(at seconds: Double) -> (pitch: Double, roll: Double) {
    let left = exp(-max(0, seconds - from.seconds) / KeyMotion.tiltSeconds)
    return (pitch + (from.pitch - pitch) * left, roll + (from.roll - roll) * left)
  }
}

/// The keys that play.
enum PlayedKey: Equatable {
  case space, up, down, left, right
}

/// Finds keys in a terminal's bytes; arrows come as three of them (ECMA-48, and DEC's application mode).
struct KeyParser {
  private var escape: [UInt8] = []

  /// The key that this byte completes, if any.
  mutating func key(after byte: UInt8) -> PlayedKey? {
    switch (escape.count, byte) {
    case (_, 0x1B):
      escape = [byte]
    case (1, UInt8(ascii: "[")), (1, UInt8(ascii: "O")):
      escape.append(byte)
    case (2, _):
      escape = []
      switch byte {
      case UInt8(ascii: "A"): return .up
      case UInt8(ascii: "B"): return .down
      case UInt8(ascii: "C"): return .right
      case UInt8(ascii: "D"): return .left
      default: return nil
      }
    default:
      escape = []
      return byte == UInt8(ascii: " ") ? .space : nil
    }
    return nil
  }
}
