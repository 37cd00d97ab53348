import Glibc

/// Something about an instrument that can be set while it plays.
public struct Parameter: Sendable, Equatable {
  /// How the way from one end of the range to the other is divided.
  public enum Curve: Sendable, Equatable {
    /// Equal steps for equal ways.
    case linear
    /// Equal ratios for equal ways, as for frequencies and times; the range lies above 0.
    case exponential
  }

  /// As it is typed and as it stands in OSC addresses: lower-case letters, digits and hyphens.
  public var name: String
  /// What it may be.
  public var range: ClosedRange<Float>
  /// What its numbers count: "Hz", "s", "dB", "semitones"; empty for a plain number.
  public var unit: String
  /// How its way is divided for keys, faders and gestures.
  public var curve: Curve
  /// What it is at first.
  public var initial: Float
  /// Seconds in which it goes to a new value; 0 to be there at once.
  public var smoothing: Double
  /// The width of its steps; 1 for whole numbers, 0 for none.
  public var step: Float
  /// What it does, in a few words.
  public var about: String

  /// A parameter; a default outside the range becomes its nearer end.
  public init(
    _ name: String, _ range: ClosedRange<Float>, unit: String = "", curve: Curve = .linear,
    default initial: Float, smoothing: Double = 0.02, step: Float = 0, about: String = ""
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

  /// A switch: off is 0, on is 1.
  public static func toggle(_ name: String, default isOn: Bool = false, about: String = "") -> Parameter {
    Parameter(name, 0...1, default: isOn ? 1 : 0, smoothing: 0, step: 1, about: about)
  }

  /// What is taken for a wanted value: within the range and on a step; nil where it is no number.
  public func taken(_ value: Float) -> Float? {
    guard !value.isNaN else { return nil }
    let value = max(range.lowerBound, min(value, range.upperBound))
    guard step > 0 else { return value }
    let stepped = range.lowerBound + ((value - range.lowerBound) / step).rounded() * step
    return min(stepped, range.upperBound)
  }

  /// The value at a part of the way through the range, 0 … 1.
  public func value(at part: Float) -> Float {
    let part = max(0, min(part, 1))
    let (low, high) = (range.lowerBound, range.upperBound)
    let value = curve == .exponential ? low * powf(high / low, part) : low + (high - low) * part
    return taken(value) ?? initial
  }

  /// What part of the way through the range a value is, 0 … 1.
  public func part(of value: Float) -> Float {
    let (low, high) = (range.lowerBound, range.upperBound)
    guard high > low else { return 0 }
    let value = max(low, min(value, high))
    return curve == .exponential ? logf(value / low) / logf(high / low) : (value - low) / (high - low)
  }
}

/// The parameters of one kind of instrument: an enumeration whose cases count from 0.
///
/// ```swift
/// enum Control: Int, InstrumentControl {
///   case brightness, decay
///   var parameter: Parameter {
///     switch self {
///     case .brightness: Parameter("brightness", 0...1, default: 0.3)
///     case .decay: Parameter("decay", 0.1...4, unit: "s", curve: .exponential, default: 1)
///     }
///   }
/// }
/// ```
public protocol InstrumentControl: RawRepresentable, CaseIterable, Sendable where RawValue == Int {
  /// What it is called and may be.
  var parameter: Parameter { get }
}

/// The parameters of an instrument that has none.
@frozen
public enum NoControl: InstrumentControl {
  /// No parameter of its own.
  public var parameter: Parameter { switch self {} }

  /// Never one.
  @inlinable
  public init?(rawValue: Int) { nil }

  /// No number.
  @inlinable
  public var rawValue: Int { switch self {} }

  /// None.
  public static var allCases: [NoControl] { [] }
}
