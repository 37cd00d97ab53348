/// The values of an instrument's parameters, for the frames that are being rendered.
///
/// `controls[.brightness]` holds still until the next multiple of 32 frames, which is often enough for a filter;
/// `controls[.brightness, frame]` moves with every frame, as a level should. Neither depends on how the time is cut
/// into blocks.
///
/// - Thread: the audio thread, inside `handle` and `render` only; do not keep it.
/// - Real-time safe: yes.
@frozen
public struct Controls<Control: InstrumentControl>: BitwiseCopyable {
  @usableFromInline let glides: UnsafePointer<ControlGlide>

  /// The values in the caller's memory, one glide for each case of `Control`.
  @inlinable
  package init(_ glides: UnsafePointer<ControlGlide>) { self.glides = glides }

  /// The value, holding still.
  @inlinable
  public subscript(control: Control) -> Float { glides[control.rawValue].held }

  /// The value at a frame of the block that is being rendered.
  @inlinable
  public subscript(control: Control, frame: Int) -> Float { glides[control.rawValue].value(frame) }

  /// Where the value is going.
  @inlinable
  public func goal(_ control: Control) -> Float { glides[control.rawValue].goal }

  /// Whether a switch is on.
  @inlinable
  public func isOn(_ control: Control) -> Bool { goal(control) >= 0.5 }
}

/// A value on a straight line from where it was to where it was set.
@frozen
public struct ControlGlide: Sendable, BitwiseCopyable {
  @usableFromInline package var goal: Float
  @usableFromInline package var held: Float
  @usableFromInline var start: Float
  @usableFromInline var slope: Float = 0
  /// Frames that the line takes; 0 once it is behind.
  @usableFromInline var length = 0
  /// Frames of it that have passed at the block's first.
  @usableFromInline var age = 0

  /// Frames from one renewal of the values that hold still to the next.
  @inlinable package static var period: Int { 32 }

  /// A value at rest.
  @inlinable
  package init(_ value: Float) { (goal, held, start) = (value, value, value) }

  /// The value so many frames into the block.
  @inlinable
  package func value(_ frame: Int) -> Float {
    let passed = age &+ frame
    return passed >= length ? goal : start + slope * Float(passed)
  }

  /// Sets out for a new value, to be there after so many frames.
  @inlinable
  package mutating func head(for goal: Float, in frames: Int) {
    start = value(0)
    self.goal = goal
    (length, age) = (frames, 0)
    if frames > 0 { slope = (goal - start) / Float(frames) } else { held = goal }
  }

  /// Goes on by so many frames, to where the next block begins.
  ///
  /// - Parameter isRenewal: whether that is where the values that hold still are renewed.
  @inlinable
  package mutating func advance(_ frames: Int, isRenewal: Bool) {
    if length > 0 {
      age &+= frames
      if age >= length { (length, age) = (0, 0) }
    }
    if isRenewal { held = value(0) }
  }
}
