import MoTime

/// One reading of an accelerometer, and what it says about the hand that holds it.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
@frozen
public struct Motion: Equatable, Sendable, BitwiseCopyable {
  /// When the sensor measured it.
  public var time: HostTime

  /// Acceleration along the device's x axis, in g, gravity included: a device lying flat reads (0, 0, 1).
  public var x: Float

  /// Acceleration along the device's y axis, in g, gravity included.
  public var y: Float

  /// Acceleration along the device's z axis, in g, gravity included.
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

  /// The direction of gravity in the device, as two angles.
  ///
  /// - Source: M. Pedley, *Tilt Sensing Using a Three-Axis Accelerometer*, Freescale AN3461 rev. 6 (2013),
  ///   rotation sequence x-y-z.
  @frozen
  public struct Tilt: Equatable, Sendable, BitwiseCopyable {
    /// About the y axis, in radians, −π/2 … π/2: positive with the x axis pointing down.
    public var pitch: Float

    /// About the x axis, in radians, −π … π: positive with the y axis pointing up.
    public var roll: Float

    /// A tilt given by its angles; lying flat where they are left out.
    @inlinable
    public init(pitch: Float = 0, roll: Float = 0) {
      self.pitch = pitch
      self.roll = roll
    }
  }
}
