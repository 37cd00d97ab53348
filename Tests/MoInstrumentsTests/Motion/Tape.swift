import Glibc
import MoCore
import MoDSP
import MoInstruments
import MoTesting

/// A movement, as 100 readings per second of an accelerometer.
struct Tape {
  /// The orientation in degrees, as in `Motion.Tilt`, and the shaking in g, towards the top edge and back.
  struct Pose {
    var pitch = 0.0
    var roll = 0.0
    var shake = 0.0
  }

  var seconds: Double
  var pose: (Double) -> Pose

  /// Lying flat, and still.
  static func still(_ seconds: Double) -> Tape { Tape(seconds: seconds) { _ in Pose() } }

  /// Held still at one tilt.
  static func held(_ seconds: Double, pitch: Double = 0, roll: Double = 0) -> Tape {
    Tape(seconds: seconds) { _ in Pose(pitch: pitch, roll: roll) }
  }

  /// Flat for half a second, tilted during the next, and then held there.
  static func leaning(_ seconds: Double, pitch: Double = 0, roll: Double = 0) -> Tape {
    Tape(seconds: seconds) { time in
      let part = max(0, min(time - 0.5, 1))
      return Pose(pitch: pitch * part, roll: roll * part)
    }
  }

  /// Shaken five times per second by a number of g, from half a second on.
  static func shaken(
    _ seconds: Double, by g: Double, pitch: Double = 0, roll: Double = 0, until end: Double = .infinity
  ) -> Tape {
    Tape(seconds: seconds) { time in
      let isMoving = time >= 0.5 && time < end
      return Pose(pitch: pitch, roll: roll, shake: isMoving ? g * sin(2 * .pi * 5 * (time - 0.5)) : 0)
    }
  }

  /// Sends the readings to an instrument.
  func play(to render: inout InstrumentRender) {
    var features = MotionFeatures()
    for reading in 0..<Int(seconds * 100) {
      let time = Double(reading) / 100
      let pose = pose(time)
      let (pitch, roll) = (pose.pitch * .pi / 180, pose.roll * .pi / 180)
      // A raised side reads positive: with the right edge down, x is negative; with the top edge up, y is
      // positive.
      let read = features.read(
        time: HostTime(seconds: time), x: Float(-cos(pitch) * sin(roll)), y: Float(sin(pitch) + pose.shake),
        z: Float(cos(pitch) * cos(roll)))
      guard let motion = read else { continue }
      render.at(reading * 480) { handle, time in
        var motion = motion
        motion.time = time
        handle.move(motion)
      }
    }
  }
}

extension InstrumentRender {
  /// Returns the sound of an instrument for a movement, after its parameters are set.
  static func take(_ name: String, _ tape: Tape, seconds: Double, set: [String: Float] = [:]) throws -> Take {
    var render = try InstrumentRender(name)
    for (parameter, value) in set { render.set(parameter, to: value, at: 0) }
    tape.play(to: &render)
    return try render.take(seconds: seconds)
  }
}

extension Take {
  /// Returns the brightness over some frames: the level of the slope relative to the sound; 0 for silence.
  func brightness(_ frames: Range<Int>) -> Double {
    var (slope, size) = (0.0, 0.0)
    for frame in frames.dropFirst() {
      slope += pow(Double(left[frame] - left[frame - 1]), 2)
      size += pow(Double(left[frame]), 2)
    }
    return size > 0 ? (slope / size).squareRoot() : 0
  }

  /// Returns the pitch in Hz over some frames.
  func pitch(_ frames: Range<Int>, within range: ClosedRange<Double>) -> Double? {
    Loudest.pitch(Array(left[frames]), sampleRate: InstrumentRender.sampleRate, within: range)
  }
}
