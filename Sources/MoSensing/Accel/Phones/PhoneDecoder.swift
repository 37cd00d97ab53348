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
  mutating func take(_ content: PhoneMessage.Content, at time: HostTime) -> Outcome {
    switch content {
    case .vector(let part, let vector): return take(part, vector, at: time)
    case .axis(let part, let index, let value):
      // X, Y, Z come in this order; a reading with a missing axis is not valid.
      if index == 0 { axes[part] = [value, nil, nil] } else { axes[part]?[index] = value }
      guard index == 2 else { return .partial }
      let known = axes.removeValue(forKey: part)?.compactMap { $0 } ?? []
      return known.count == 3 ? take(part, SIMD3(known), at: time) : .unusable
    case .system(let name):
      system = name
      return .partial
    case .unusable: return .unusable
    }
  }

  private mutating func take(_ part: PhoneMessage.Part, _ vector: SIMD3<Float>, at time: HostTime) -> Outcome
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
    case .movement: whole = split.take(movement: reading)
    case .gravity: whole = split.take(gravity: reading)
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
