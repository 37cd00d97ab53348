import Glibc

/// A value of an instrument that can be set during play.
public struct Parameter: Sendable, Equatable {
  /// The scale on which a key, fader or gesture covers the range of a parameter.
  public enum Curve: Sendable, Equatable {
    /// Equal distances on the scale are equal differences of the value.
    case linear
    /// Equal distances on the scale are equal ratios of the value, as for frequencies and times.
    ///
    /// For a range that is not above 0, `Parameter.init` sets `linear` instead.
    case exponential
  }

  /// The name to type and to use in OSC addresses: lower-case letters, digits and hyphens.
  public var name: String
  /// The allowed values.
  public var range: ClosedRange<Float>
  /// The unit of the values: "Hz", "s", "dB", "semitones"; empty for a plain number.
  public var unit: String
  /// The scale for keys, faders and gestures.
  public var curve: Curve
  /// The default value.
  public var initial: Float
  /// The time to reach a new value, in seconds; 0 to reach it immediately.
  public var smoothing: Double
  /// The step between allowed values; 1 for whole numbers, 0 for any value.
  public var step: Float
  /// A description in a few words.
  public var about: String

  /// Creates a parameter; a default outside the range becomes its nearer end.
  public init(
    _ name: String, _ range: ClosedRange<Float>, default initial: Float, unit: String = "",
    curve: Curve = .linear, smoothing: Double = 0.02, step: Float = 0, about: String = ""
  ) {
    self.name = name
    self.range = range
    self.unit = unit
    self.curve = range.lowerBound > 0 ? curve : .linear
    self.smoothing = smoothing
    self.step = step
    self.about = about
    self.initial = range.lowerBound
    self.initial = taken(initial) ?? range.lowerBound
  }

  /// The earlier form of the initializer, with `default` after `curve`.
  @available(*, deprecated, message: "write default: right after the range")
  @_disfavoredOverload
  public init(
    _ name: String, _ range: ClosedRange<Float>, unit: String = "", curve: Curve = .linear,
    default initial: Float, smoothing: Double = 0.02, step: Float = 0, about: String = ""
  ) {
    self.init(
      name, range, default: initial, unit: unit, curve: curve, smoothing: smoothing, step: step, about: about)
  }

  /// Returns a parameter that is a switch: 0 is off, 1 is on.
  public static func toggle(_ name: String, default isOn: Bool = false, about: String = "") -> Parameter {
    Parameter(name, 0...1, default: isOn ? 1 : 0, smoothing: 0, step: 1, about: about)
  }

  /// Returns a value clamped to the range and rounded to a step; nil for NaN.
  public func taken(_ value: Float) -> Float? {
    guard !value.isNaN else { return nil }
    let value = max(range.lowerBound, min(value, range.upperBound))
    guard step > 0 else { return value }
    let stepped = range.lowerBound + ((value - range.lowerBound) / step).rounded() * step
    return min(stepped, range.upperBound)
  }

  /// Returns the value at a position, 0 … 1, on the scale `curve`.
  public func value(at part: Float) -> Float {
    let part = max(0, min(part, 1))
    let (low, high) = (range.lowerBound, range.upperBound)
    let value = curve == .exponential ? low * powf(high / low, part) : low + (high - low) * part
    return taken(value) ?? initial
  }

  /// Returns the position of a value, 0 … 1, on the scale `curve`.
  public func part(of value: Float) -> Float {
    let (low, high) = (range.lowerBound, range.upperBound)
    guard high > low else { return 0 }
    let value = max(low, min(value, high))
    return curve == .exponential ? logf(value / low) / logf(high / low) : (value - low) / (high - low)
  }
}

/// The parameters of one kind of instrument: an enumeration with the raw values 0, 1, 2 and so on.
///
/// ```swift
/// enum Control: Int, InstrumentControl {
///   case brightness, decay
///   var parameter: Parameter {
///     switch self {
///     case .brightness: Parameter("brightness", 0...1, default: 0.3)
///     case .decay: Parameter("decay", 0.1...4, default: 1, unit: "s", curve: .exponential)
///     }
///   }
/// }
/// ```
public protocol InstrumentControl: RawRepresentable, CaseIterable, Sendable where RawValue == Int {
  /// The name, range and default of this parameter.
  var parameter: Parameter { get }
}

/// The type of `Control` for an instrument without parameters: an enumeration without cases.
@frozen
public enum NoControl: InstrumentControl {
  /// Required by the protocol, but never called: there is no case.
  public var parameter: Parameter { switch self {} }

  /// Always nil, since there is no case.
  @inlinable
  public init?(rawValue: Int) { nil }

  /// Required by the protocol, but never called: there is no case.
  @inlinable
  public var rawValue: Int { switch self {} }

  /// Empty: an instrument with `NoControl` has no parameters.
  public static var allCases: [NoControl] { [] }
}
