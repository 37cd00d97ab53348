/// The values of an instrument's parameters, for the frames that are being rendered.
///
/// While a parameter moves smoothly to a new value, `controls[.brightness]` is updated every 32 frames, which suffices
/// for a filter. If the parameter's `smoothing` is 0, `controls[.brightness]` has the new value immediately. The value
/// `controls[.brightness, frame]` changes with every frame, as a gain should. Neither value depends on the block
/// length.
///
/// - Thread: the audio thread, only inside `handle` and `render`; do not store the `Controls` for later.
/// - Real-time safe: yes.
@frozen
public struct Controls<Control: InstrumentControl>: BitwiseCopyable {
  @usableFromInline let glides: UnsafePointer<ControlGlide>

  /// Creates a view of the caller's memory, which has a `ControlGlide` for each case of `Control`.
  @inlinable
  package init(_ glides: UnsafePointer<ControlGlide>) { self.glides = glides }

  /// The value of a parameter, updated every 32 frames, or immediately if the parameter's `smoothing` is 0.
  @inlinable
  public subscript(control: Control) -> Float { glides[control.rawValue].held }

  /// The value of a parameter at a frame of the block that is being rendered.
  @inlinable
  public subscript(control: Control, frame: Int) -> Float { glides[control.rawValue].value(frame) }

  /// Returns the value that was last set for the parameter; the smoothed value moves towards this value.
  @inlinable
  public func goal(_ control: Control) -> Float { glides[control.rawValue].goal }

  /// Returns whether a parameter made by `Parameter.toggle` is on.
  @inlinable
  public func isOn(_ control: Control) -> Bool { goal(control) >= 0.5 }
}

/// The value of a parameter, which moves in a straight line from its old value to the value that was set.
@frozen
public struct ControlGlide: Sendable, BitwiseCopyable {
  @usableFromInline package var goal: Float
  @usableFromInline package var held: Float
  @usableFromInline var start: Float
  @usableFromInline var slope: Float = 0
  /// The length of the straight line in frames; 0 if the value has reached `goal`.
  @usableFromInline var length = 0
  /// The number of frames from the start of the line to the first frame of the block.
  @usableFromInline var age = 0

  /// The number of frames between two updates of `held`, the value that `controls[.brightness]` reads.
  @inlinable package static var period: Int { 32 }

  /// Creates a glide that has already reached `value`.
  @inlinable
  package init(_ value: Float) { (goal, held, start) = (value, value, value) }

  /// Returns the value at a frame, counted from the start of the block.
  @inlinable
  package func value(_ frame: Int) -> Float {
    let passed = age &+ frame
    return passed >= length ? goal : start + slope * Float(passed)
  }

  /// Starts a straight line that reaches the value `goal` after `frames` frames; with 0 frames, immediately.
  @inlinable
  package mutating func head(for goal: Float, in frames: Int) {
    start = value(0)
    self.goal = goal
    (length, age) = (frames, 0)
    if frames > 0 { slope = (goal - start) / Float(frames) } else { held = goal }
  }

  /// Continues the straight line by the given number of frames, to the start of the next block.
  ///
  /// - Parameter isRenewal: whether to update `held`, the value that `controls[.brightness]` reads, at the start of the
  ///   next block.
  @inlinable
  package mutating func advance(_ frames: Int, isRenewal: Bool) {
    if length > 0 {
      age &+= frames
      if age >= length { (length, age) = (0, 0) }
    }
    if isRenewal { held = value(0) }
  }
}
