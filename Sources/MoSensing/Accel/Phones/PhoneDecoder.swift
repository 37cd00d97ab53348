import Glibc
import MoCore

/// A decoder from a phone's messages to readings in g, gravity included: (0, 0, 1) if the phone lies flat, face up.
struct PhoneDecoder: Sendable {
  private let layout: PhoneLayout
  private var unit = PhoneUnit()
  private var system: String?
  private var split = SplitAcceleration(flat: SIMD3(0, 0, 1))
  private var axes: [PhoneMessage.Part: [Float?]] = [:]
  private var lastWhole = HostTime.distantPast

  /// The time in seconds for which separate values of movement and gravity are ignored after a whole acceleration.
  ///
  /// Some apps can send all three values; otherwise a measurement would become two readings.
  private static let wholeTime = 1.0
  /// The largest length of a reading's vector, in g: no phone's sensor measures more.
  private static let limit: Float = 32

  /// The result of decoding a message.
  enum Outcome: Equatable {
    case reading(SIMD3<Float>)
    /// The message alone is no reading: it has a single axis, movement or gravity alone, or other content.
    case partial
    /// The values cannot be a reading.
    case unusable
  }

  /// - Parameter system: the phone's system, such as `ios`, if it is known already.
  init(layout: PhoneLayout, system: String? = nil) {
    self.layout = layout
    self.system = system
  }

  /// Decodes the content of the phone's next message.
  mutating func decode(_ content: PhoneMessage.Content, at time: HostTime) -> Outcome {
    switch content {
    case .vector(let part, let vector): return decode(part, vector, at: time)
    case .axis(let part, let index, let value):
      // X, Y, Z come in this order; a reading with a missing axis is not valid.
      if index == 0 { axes[part] = [value, nil, nil] } else { axes[part]?[index] = value }
      guard index == 2 else { return .partial }
      let known = axes.removeValue(forKey: part)?.compactMap { $0 } ?? []
      return known.count == 3 ? decode(part, SIMD3(known), at: time) : .unusable
    case .system(let name):
      system = name
      return .partial
    case .unusable: return .unusable
    }
  }

  private mutating func decode(_ part: PhoneMessage.Part, _ vector: SIMD3<Float>, at time: HostTime)
    -> Outcome
  {
    // At rest, the movement is near zero in any unit.
    if part != .movement { unit.learn(vector.length) }
    let reading = vector * scale
    guard reading.length <= PhoneDecoder.limit else { return .unusable }
    let whole: SIMD3<Float>?
    switch part {
    case .whole:
      lastWhole = time
      return .reading(reading)
    case _ where lastWhole != .distantPast && time.seconds(since: lastWhole) < PhoneDecoder.wholeTime:
      return .partial
    case .movement: whole = split.decode(movement: reading)
    case .gravity: whole = split.decode(gravity: reading)
    }
    return whole.map { .reading($0) } ?? .partial
  }

  /// The factor that converts the app's values to g, with the signs of MoMu's axes.
  private var scale: Float {
    let metric = 1 / PhoneLayout.metresPerG
    switch layout {
    case .momu: return 1
    case .sensors2OSC: return metric
    case .touchOSC: return unit.isMetric ?? false ? metric : -1
    case .zigSim:
      let isMetric = unit.isMetric ?? false
      // If the phone does not report its system, the unit tells it.
      let isIOS = system.map { $0 == "ios" } ?? !isMetric
      return (isMetric ? metric : 1) * (isIOS ? -1 : 1)
    }
  }
}

/// An estimate of the unit of an app's values, g or m/s²: a phone that is held still shows a length of 1 or 9.8.
///
/// The mean logarithm of the readings' lengths is compared with the midpoint between the logarithms of 1 and 9.8. The
/// first reading decides immediately. If that reading is part of a shake, the following readings correct the result.
struct PhoneUnit: Sendable {
  private var mean: Float = 0
  private var count: Float = 0

  /// The number of readings over which the mean is taken: about as many as arrive in a second.
  private static let memory: Float = 64
  private static let middle = log2f(PhoneLayout.metresPerG) / 2

  /// Whether the unit is m/s²; nil before the first reading.
  var isMetric: Bool? { count == 0 ? nil : mean > PhoneUnit.middle }

  /// Adds the length of a reading in the unknown unit.
  mutating func learn(_ length: Float) {
    count = min(count + 1, PhoneUnit.memory)
    // A phone in free fall does not tell its unit, and the logarithm of a tiny length would dominate.
    mean += (log2f(min(max(length, 0.25), 40)) - mean) / count
  }
}

extension SIMD3<Float> {
  /// The length of the vector.
  package var length: Float { (self * self).sum().squareRoot() }
}

/// The sum of movement and gravity, which some apps send separately.
///
/// The sum is known when the second value of a pair arrives. If two values of movement arrive in a row, each value of
/// movement is from then on added to the last gravity immediately. If two values of gravity arrive in a row, the result
/// is gravity alone until movement arrives.
struct SplitAcceleration: Sendable {
  private var gravity: SIMD3<Float>?
  private var movement: SIMD3<Float>?
  private var isGravityNew = false
  private var isMovementNew = false
  /// Whether two values of movement have arrived with no value of gravity between them; further movement then does not
  /// wait for gravity.
  private var isMovementAlone = false
  private var isGravityAlone = false

  /// The gravity of a phone that lies flat, which is used until the app sends gravity.
  ///
  /// If the app never sends gravity, strikes are correct, but there is no tilt.
  private let flat: SIMD3<Float>

  init(flat: SIMD3<Float>) { self.flat = flat }

  /// Adds the app's next value of movement; returns the whole acceleration, if it is known now.
  mutating func decode(movement next: SIMD3<Float>) -> SIMD3<Float>? {
    if isMovementNew { isMovementAlone = true }
    isMovementNew = !isGravityNew && !isMovementAlone
    movement = next
    isGravityNew = false
    isGravityAlone = false
    return isMovementNew ? nil : next + (gravity ?? flat)
  }

  /// Adds the app's next value of gravity; returns the whole acceleration, if it is known now.
  mutating func decode(gravity next: SIMD3<Float>) -> SIMD3<Float>? {
    gravity = next
    if isMovementNew {
      isMovementNew = false
      return next + (movement ?? .zero)
    }
    // Twice without movement between: the app sends movement seldom or never.
    if isGravityNew { isGravityAlone = true }
    isGravityNew = true
    return isGravityAlone ? next : nil
  }
}
