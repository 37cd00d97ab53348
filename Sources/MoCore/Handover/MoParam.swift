import Synchronization

/// A number that one part of a program sets and the audio callback reads: a fader, an energy, a pitch.
///
/// `value` is the number itself. `tick(_:)` ramps it, one step per sample, so that a jump of the value causes no click.
///
/// - Thread: `value` from any; `tick(_:)` from one thread, the audio thread.
/// - Real-time safe: yes, except for `init`.
public final class MoParam: @unchecked Sendable, ExpressibleByFloatLiteral {
  // Unchecked: the plain fields of the ramp belong to the thread that calls `tick(_:)`.
  @usableFromInline let bits: Atomic<UInt32>
  @usableFromInline let rampSeconds: Double
  @usableFromInline var target: Float
  @usableFromInline var current: Float
  @usableFromInline var step: Float = 0
  @usableFromInline var remaining = 0

  /// Creates a parameter that starts at `value`, with a ramp given as a duration.
  ///
  /// - Parameters:
  ///   - value: the parameter's first value; infinity and NaN count as 0.
  ///   - ramp: the time in which `tick` reaches a new value; with zero or less, `tick` jumps to the new value.
  public init(_ value: Float = 0, ramp: Duration = .milliseconds(10)) {
    let value = value.isFinite ? value : 0
    bits = Atomic(value.bitPattern)
    rampSeconds = ramp.inSeconds
    target = value
    current = value
  }

  /// Creates a parameter that starts at `value`, with a ramp given in seconds.
  ///
  /// - Parameters:
  ///   - value: the parameter's first value; infinity and NaN count as 0.
  ///   - seconds: the time in which `tick` reaches a new value, at most 3600 s. With 0, a negative value, NaN or
  ///     infinity, `tick` jumps to the new value.
  public convenience init(_ value: Float = 0, ramp seconds: Double) {
    self.init(value, ramp: .seconds(seconds.isFinite ? min(max(seconds, 0), 3600) : 0))
  }

  /// Creates a parameter from a number literal, with the default ramp of 10 ms.
  public convenience init(floatLiteral value: Float) { self.init(value) }

  /// The last number that was set.
  ///
  /// `value` itself jumps; only the result of `tick` ramps. Infinity and NaN are ignored: NaN in an audio signal
  /// would stay.
  @inlinable
  public var value: Float {
    get { Float(bitPattern: bits.load(ordering: .relaxed)) }
    set { if newValue.isFinite { bits.store(newValue.bitPattern, ordering: .relaxed) } }
  }

  /// Returns the last number that was set, and resets it to 0.
  ///
  /// Use `take()` for a sum to which your program adds, such as the movement since the last call of `take()`.
  @inlinable
  public func take() -> Float { Float(bitPattern: bits.exchange(0, ordering: .acquiringAndReleasing)) }

  /// Returns the value for the next sample: the next point of a straight line that ends at `value`.
  ///
  /// Call `tick` once per sample.
  ///
  /// - Parameter sampleRate: frames per second. If it differs from the device's rate, the ramp is shorter or longer
  ///   in proportion.
  @inlinable
  public func tick(_ sampleRate: Double = 48_000) -> Float {
    let wanted = value
    if wanted != target {
      target = wanted
      remaining = max(1, Int(rampSeconds * sampleRate))
      step = (wanted - current) / Float(remaining)
    }
    guard remaining > 0 else { return current }
    remaining &-= 1
    current = remaining == 0 ? target : current + step
    return current
  }
}

/// Initializers and functions that accept `Double` and `Int`, so that a program need not convert numbers.
extension MoParam {
  /// Creates a parameter that starts at `value`; `seconds` is the time in which `tick` reaches a new value.
  @_disfavoredOverload
  public convenience init(_ value: Double, ramp seconds: Double = 0.01) {
    self.init(Float(value), ramp: seconds)
  }

  /// Creates a parameter that starts at `value`; `seconds` is the time in which `tick` reaches a new value.
  @_disfavoredOverload
  public convenience init(_ value: Int, ramp seconds: Double = 0.01) {
    self.init(Float(value), ramp: seconds)
  }

  /// Sets `value`; ignores infinity and NaN.
  ///
  /// - Real-time safe: yes.
  @inlinable
  public func set(_ number: Float) { value = number }

  /// Sets `value` to the `Float` nearest to a `Double`; ignores infinity and NaN.
  ///
  /// - Real-time safe: yes.
  @inlinable @_disfavoredOverload
  public func set(_ number: Double) { value = Float(number) }

  /// Sets `value` to the `Float` nearest to an `Int`.
  ///
  /// - Real-time safe: yes.
  @inlinable @_disfavoredOverload
  public func set(_ number: Int) { value = Float(number) }
}
