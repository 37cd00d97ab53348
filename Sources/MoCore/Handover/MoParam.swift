import Synchronization

/// A number that one part of a program sets and the audio callback reads: a fader, an energy, a pitch.
///
/// `value` is the number itself. `tick(_:)` is the same number ramped, a step a sample, so that a jump on the
/// sensor's side is no click in the loudspeaker.
///
/// - Thread: `value` from any; `tick(_:)` from one thread, the audio thread.
/// - Real-time safe: yes, but for `init`.
public final class MoParam: @unchecked Sendable, ExpressibleByFloatLiteral {
  // Unchecked: the ramp's plain fields belong to the one thread that ticks.
  @usableFromInline let bits: Atomic<UInt32>
  @usableFromInline let rampSeconds: Double
  @usableFromInline var target: Float
  @usableFromInline var current: Float
  @usableFromInline var step: Float = 0
  @usableFromInline var remaining = 0

  /// A parameter that starts at `value`.
  ///
  /// - Parameter ramp: how long `tick(_:)` takes to reach a new value.
  public init(_ value: Float = 0, ramp: Duration = .milliseconds(10)) {
    bits = Atomic(value.bitPattern)
    rampSeconds = ramp.inSeconds
    target = value
    current = value
  }

  /// A parameter written as a plain number, with the usual ramp of 10 ms.
  public convenience init(floatLiteral value: Float) { self.init(value) }

  /// The number as last set.
  ///
  /// Anything but a finite number is not taken: one bad reading must not silence the instrument for good.
  @inlinable
  public var value: Float {
    get { Float(bitPattern: bits.load(ordering: .relaxed)) }
    set { if newValue.isFinite { bits.store(newValue.bitPattern, ordering: .relaxed) } }
  }

  /// The number as last set, leaving 0: for what gathers between two looks.
  @inlinable
  public func take() -> Float { Float(bitPattern: bits.exchange(0, ordering: .acquiringAndReleasing)) }

  /// The next sample's value on a straight line to `value`; call it once a sample.
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
