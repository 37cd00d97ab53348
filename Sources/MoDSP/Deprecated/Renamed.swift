/// The earlier name of `InstrumentInfo`.
@available(*, deprecated, renamed: "InstrumentInfo")
public typealias InstrumentSheet = InstrumentInfo

extension Parameter {
  /// Creates a parameter; the earlier form of the initializer, in which `default` follows `curve`.
  @available(*, deprecated, message: "write default: right after the range")
  @_disfavoredOverload
  public init(
    _ name: String, _ range: ClosedRange<Float>, unit: String = "", curve: Curve = .linear,
    default initial: Float, smoothing: Double = 0.02, step: Float = 0, about: String = ""
  ) {
    self.init(
      name, range, default: initial, unit: unit, curve: curve, smoothing: smoothing, step: step, about: about)
  }
}

extension Voices {
  /// The earlier name of `strikePitch`.
  @available(*, deprecated, renamed: "strikePitch")
  public var strokePitch: Float {
    get { strikePitch }
    set { strikePitch = newValue }
  }

  /// The earlier name of `strikeLength`.
  @available(*, deprecated, renamed: "strikeLength")
  public var strokeLength: Double {
    get { strikeLength }
    set { strikeLength = newValue }
  }
}
