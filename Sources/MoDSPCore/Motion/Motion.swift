import Glibc
import MoCore

/// One reading of an accelerometer, and what it says about the hand that holds it.
///
/// The device's axes are x to the right, y to the top edge, z out of the face; a raised side reads positive, as on
/// Android. `Docs/Sensors.md` draws them for phone, laptop and pad.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
@frozen
public struct Motion: Equatable, Sendable, BitwiseCopyable {
  /// When the sensor measured it.
  public var time: HostTime

  /// Acceleration to the device's right, in g, gravity included: 1 with the right edge straight up.
  public var x: Float

  /// Acceleration to the device's top edge, in g, gravity included: 1 with the top edge straight up.
  public var y: Float

  /// Acceleration out of the device's face, in g, gravity included: 1 lying flat, face up.
  public var z: Float

  /// How the device is held.
  public var tilt: Tilt

  /// How wildly it moves: 0 still … 1 wild.
  public var activity: Float

  /// The energy of the movement: the mean square of the acceleration without gravity, over about the last eighth
  /// of a second, less that of the sensor's own trembling, in g²; exactly 0 at rest.
  public var energy: Float

  /// The force of a strike, 0 … 1, in the one reading where a shake sets in; nil in all others.
  public var jerk: Float?

  /// Whether it is being shaken to and fro: from the third change of direction on, until 0.4 s without one.
  public var isShaken: Bool

  /// The force of a tap, 0 … 1, in the one reading where it is over; nil in all others.
  ///
  /// A tap is a short knock out of rest and back to rest; a `jerk` came with it, as it set in.
  public var tap: Float?

  /// A reading that has been worked out.
  @inlinable
  public init(
    time: HostTime, x: Float, y: Float, z: Float, tilt: Tilt = Tilt(), activity: Float = 0, energy: Float = 0,
    jerk: Float? = nil, isShaken: Bool = false, tap: Float? = nil
  ) {
    self.time = time
    self.x = x
    self.y = y
    self.z = z
    self.tilt = tilt
    self.activity = activity
    self.energy = energy
    self.jerk = jerk
    self.isShaken = isShaken
    self.tap = tap
  }

  /// Lying flat and still, at the clock's zero: what is known before the first reading.
  @inlinable
  public static var still: Motion { Motion(time: .zero, x: 0, y: 0, z: 1) }

  /// The size of the whole acceleration, in g: 1 at rest, 0 in free fall.
  @inlinable
  public var magnitude: Float { (x * x + y * y + z * z).squareRoot() }

  /// How a device is tipped: to the sides, and forth and back, in degrees.
  ///
  /// The signs are those of an aircraft (right wing down, nose up), of Core Motion's attitude and of the W3C's
  /// `DeviceOrientationEvent` (`gamma`, `beta`). Android's `getOrientation` counts both the other way.
  ///
  /// - Source: M. Pedley, *Tilt Sensing Using a Three-Axis Accelerometer*, Freescale AN3461 rev. 6 (2013), the
  ///   rotation sequence that leaves pitch within ±90° and roll within ±180°, for these axes.
  @frozen
  public struct Tilt: Equatable, Sendable, BitwiseCopyable {
    /// Forth and back, in degrees, −90 … 90: positive with the top edge up, as a nose that is lifted.
    public var pitch: Float

    /// To the sides, in degrees, −180 … 180: positive with the right edge down, tipped to the right.
    public var roll: Float

    /// A tilt given by its angles in degrees; lying flat where they are left out.
    @inlinable
    public init(pitch: Float = 0, roll: Float = 0) {
      self.pitch = pitch
      self.roll = roll
    }

    /// The tilt of a device that reads so at rest.
    ///
    /// - Parameter up: what its accelerometer reads, of any length; flat for all zeros.
    public init(up: SIMD3<Float>) {
      let degrees = Float(180) / .pi
      pitch = degrees * atan2f(up.y, (up.x * up.x + up.z * up.z).squareRoot())
      // With the top straight up or down roll means nothing, and sensor noise must not spin it.
      roll = max(abs(up.x), abs(up.z)) > 0.05 ? degrees * atan2f(0 - up.x, up.z) : 0
    }

    /// What a device that is held so reads at rest, in g: upwards in its own axes, of length 1.
    public var up: SIMD3<Float> {
      let (pitch, roll) = (pitch * .pi / 180, roll * .pi / 180)
      return SIMD3(0 - cosf(pitch) * sinf(roll), sinf(pitch), cosf(pitch) * cosf(roll))
    }
  }
}
