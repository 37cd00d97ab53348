import Glibc

/// A parameter of an instrument: the name, range, unit and default of a value that can be set during play.
public struct Parameter: Sendable, Equatable {
  /// The scale on which a key, fader or gesture covers the range of a parameter.
  public enum Curve: Sendable, Equatable {
    /// Equal distances on the scale are equal differences of the value.
    case linear
    /// Equal distances on the scale are equal ratios of the value, as for frequencies and times.
    ///
    /// If the lower end of the range is 0 or below, `Parameter.init` sets `linear` instead.
    case exponential
  }

  /// The name for commands and OSC addresses, such as `brightness`: lower-case letters, digits and hyphens.
  ///
  /// The names of MoMu's own addresses, such as `loudness`, `note`, `strike`, `bend` and `record`, are not allowed.
  public var name: String
  /// The allowed values, from the lowest to the highest.
  public var range: ClosedRange<Float>
  /// The unit of the values, such as "Hz", "s", "dB" or "semitones"; empty for a plain number.
  public var unit: String
  /// The scale on which keys, faders and gestures cover the range.
  public var curve: Curve
  /// The default: the value that the parameter has until it is set.
  public var initial: Float
  /// The time to reach a new value, in seconds; 0 to reach it immediately.
  public var smoothing: Double
  /// The distance between neighbouring allowed values, such as 1 for whole numbers; 0 allows every value in the range.
  public var step: Float
  /// A description in a few words.
  public var about: String

  /// Creates a parameter; a default outside the range is replaced by the nearer end of the range.
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

  /// Returns a parameter that is a switch: 0 is off, 1 is on.
  public static func toggle(_ name: String, default isOn: Bool = false, about: String = "") -> Parameter {
    Parameter(name, 0...1, default: isOn ? 1 : 0, smoothing: 0, step: 1, about: about)
  }

  /// Returns the allowed value nearest to a value; nil for NaN.
  ///
  /// The value is clamped to the range. If `step` is above 0, the value is also rounded to a whole number of steps from
  /// the lower end of the range.
  public func taken(_ value: Float) -> Float? {
    guard !value.isNaN else { return nil }
    let value = max(range.lowerBound, min(value, range.upperBound))
    guard step > 0 else { return value }
    let stepped = range.lowerBound + ((value - range.lowerBound) / step).rounded() * step
    return min(stepped, range.upperBound)
  }

  /// Returns the value at a position on the scale `curve`; the position is clamped to 0 (lowest value) … 1 (highest).
  public func value(at part: Float) -> Float {
    let part = max(0, min(part, 1))
    let (low, high) = (range.lowerBound, range.upperBound)
    let value = curve == .exponential ? low * powf(high / low, part) : low + (high - low) * part
    return taken(value) ?? initial
  }

  /// Returns the position of a value on the scale `curve`, 0 (lowest value) … 1 (highest); clamps the value to `range`.
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
  /// The parameter that belongs to this case: its name, range, default and other properties.
  var parameter: Parameter { get }
}

/// The type of `Control` for an instrument without parameters: an enumeration without cases.
@frozen
public enum NoControl: InstrumentControl {
  /// Required by the protocol, but never called, because the enumeration has no case.
  public var parameter: Parameter { switch self {} }

  /// Returns nil for every number, because the enumeration has no case.
  @inlinable
  public init?(rawValue: Int) { nil }

  /// Required by the protocol, but never called, because the enumeration has no case.
  @inlinable
  public var rawValue: Int { switch self {} }

  /// Empty: an instrument with `NoControl` has no parameters.
  public static var allCases: [NoControl] { [] }
}
