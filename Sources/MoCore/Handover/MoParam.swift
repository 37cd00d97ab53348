import Synchronization

/// A number that one part of a program sets and the audio callback reads: a fader, an energy, a pitch.
///
/// `value` is the number itself. `tick(_:)` ramps it, one step per sample, so that a jump of the sensor causes no click
/// in the loudspeaker.
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

  /// Creates a parameter that starts at `value`.
  ///
  /// - Parameters:
  ///   - value: its first value.
  ///   - ramp: the time in which `tick(_:)` reaches a new value.
  public init(_ value: Float = 0, ramp: Duration = .milliseconds(10)) {
    bits = Atomic(value.bitPattern)
    rampSeconds = ramp.inSeconds
    target = value
    current = value
  }

  /// Creates a parameter from a number literal, with the default ramp of 10 ms.
  public convenience init(floatLiteral value: Float) { self.init(value) }

  /// The last number that was set.
  ///
  /// Infinity and NaN are ignored: one bad reading must not silence the instrument for ever.
  @inlinable
  public var value: Float {
    get { Float(bitPattern: bits.load(ordering: .relaxed)) }
    set { if newValue.isFinite { bits.store(newValue.bitPattern, ordering: .relaxed) } }
  }

  /// Returns the last number that was set, and sets 0; for sums that grow between two reads.
  @inlinable
  public func take() -> Float { Float(bitPattern: bits.exchange(0, ordering: .acquiringAndReleasing)) }

  /// Returns the value of the next sample on a straight line to `value`; call it once per sample.
  @inlinable
  public func tick(_ sampleRate: Double) -> Float {
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
