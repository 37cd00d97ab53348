import Glibc
import MoCore

/// One reading of an accelerometer, and its meaning: tilt, activity, strikes, shakes and taps.
///
/// The device's axes are x to the right, y to the top edge, z out of the face. An axis that points straight up reads
/// +1 g at rest, as on Android. `Docs/Sensors.md` draws the axes for phone, laptop and pad.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
@frozen
public struct Motion: Equatable, Sendable, BitwiseCopyable {
  /// The time of the measurement.
  public var time: HostTime

  /// Acceleration to the device's right, in g, gravity included: 1 if the right edge points straight up.
  public var x: Float

  /// Acceleration to the device's top edge, in g, gravity included: 1 if the top edge points straight up.
  public var y: Float

  /// Acceleration out of the device's face, in g, gravity included: 1 if the device lies flat, face up.
  public var z: Float

  /// The orientation of the device.
  public var tilt: Tilt

  /// The strength of the movement: 0 still … 1 wild.
  public var activity: Float

  /// The energy of the movement, in g²; exactly 0 at rest.
  ///
  /// It is the mean square of the acceleration without gravity, over about the last eighth of a second. Movements
  /// below 0.12 g, or five times the sensor's noise, do not count.
  public var energy: Float

  /// The force of a strike, 0 … 1, in the one reading at which the strike begins; nil in all others.
  public var strike: Float?

  /// Whether the device is shaken to and fro: from the third change of direction until 0.4 s pass without a change.
  public var isShaken: Bool

  /// The force of a tap, 0 … 1, in the one reading at which the tap ends; nil in all others.
  ///
  /// A tap is a short knock: the device is at rest before and after it. At its start, a tap also gives a `strike`.
  public var tap: Float?

  /// Creates a reading from its values.
  @inlinable
  public init(
    time: HostTime, x: Float, y: Float, z: Float, tilt: Tilt = Tilt(), activity: Float = 0, energy: Float = 0,
    strike: Float? = nil, isShaken: Bool = false, tap: Float? = nil
  ) {
    self.time = time
    self.x = x
    self.y = y
    self.z = z
    self.tilt = tilt
    self.activity = activity
    self.energy = energy
    self.strike = strike
    self.isShaken = isShaken
    self.tap = tap
  }

  /// The reading of a device that lies flat and still, at time 0 of the clock: the state before the first reading.
  @inlinable
  public static var still: Motion { Motion(time: .zero, x: 0, y: 0, z: 1) }

  /// The size of the whole acceleration, in g: 1 at rest, 0 in free fall.
  @inlinable
  public var magnitude: Float { (x * x + y * y + z * z).squareRoot() }

  /// The tilt of a device, sideways and forward or backward, in degrees.
  ///
  /// Both angles have the signs of an aircraft (right wing down and nose up are positive), of Core Motion's attitude
  /// and of the W3C's `DeviceOrientationEvent` (`gamma`, `beta`). In Android's `getOrientation`, both have the opposite
  /// sign.
  ///
  /// - Source: M. Pedley, *Tilt Sensing Using a Three-Axis Accelerometer*, Freescale AN3461 rev. 6 (2013): the
  ///   rotation sequence that keeps pitch within ±90° and roll within ±180°, for these axes.
  @frozen
  public struct Tilt: Equatable, Sendable, BitwiseCopyable {
    /// Forward or backward tilt, in degrees, −90 … 90: positive with the top edge up, as an aircraft's raised nose.
    public var pitch: Float

    /// Sideways tilt, in degrees, −180 … 180: positive with the right edge down.
    public var roll: Float

    /// Creates a tilt from its angles in degrees; the default is flat.
    @inlinable
    public init(pitch: Float = 0, roll: Float = 0) {
      self.pitch = pitch
      self.roll = roll
    }

    /// Creates the tilt of a device at rest from the reading of its accelerometer.
    ///
    /// - Parameter up: the reading, a vector of any length; if all three numbers are 0, the tilt is flat.
    public init(up: SIMD3<Float>) {
      let degrees = Float(180) / .pi
      pitch = degrees * atan2f(up.y, (up.x * up.x + up.z * up.z).squareRoot())
      // With the top straight up or down, roll has no meaning, and sensor noise must not spin it.
      roll = max(abs(up.x), abs(up.z)) > 0.05 ? degrees * atan2f(0 - up.x, up.z) : 0
    }

    /// The reading of a device at rest with this tilt, in g: the upward direction in the device's axes, of length 1.
    public var up: SIMD3<Float> {
      let (pitch, roll) = (pitch * .pi / 180, roll * .pi / 180)
      return SIMD3(0 - cosf(pitch) * sinf(roll), sinf(pitch), cosf(pitch) * cosf(roll))
    }
  }
}
