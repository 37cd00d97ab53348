import MoCore

/// Turns what one phone sends into readings in g, gravity included, (0, 0, 1) lying flat with its face up.
struct PhoneDecoder: Sendable {
  private let layout: PhoneLayout
  private var unit = PhoneUnit()
  private var system: String?
  private var split = SplitAcceleration(flat: SIMD3(0, 0, 1))
  private var axes: [PhoneMessage.Part: [Float?]] = [:]
  private var lastWhole = HostTime.distantPast

  /// How long an app that sent the whole acceleration is expected to go on, so that parts are passed over.
  private static let wholeTime = 1.0
  /// No phone's sensor reads beyond this, in g.
  private static let limit: Float = 32

  /// What a message came to.
  enum Outcome: Equatable {
    case reading(SIMD3<Float>)
    /// It is a part of one, or says something else.
    case partial
    /// Its values cannot be a reading.
    case unusable
  }

  /// - Parameter system: the phone's, such as `ios`, where that is known already.
  init(layout: PhoneLayout, system: String? = nil) {
    self.layout = layout
    self.system = system
  }

  /// Takes what the phone's next message says.
  mutating func take(_ content: PhoneMessage.Content, at time: HostTime) -> Outcome {
    switch content {
    case .vector(let part, let vector): return take(part, vector, at: time)
    case .axis(let part, let index, let value):
      // X, Y, Z come in this order; a reading with one missing is none.
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
    // Movement is near nothing at rest, in any unit.
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

  /// What the app's values are multiplied with.
  private var scale: Float {
    let metric = 1 / PhoneLayout.metresPerG
    switch layout {
    case .momu: return 1
    case .sensors2OSC: return metric
    case .touchOSC: return unit.isMetric ?? false ? metric : -1
    case .zigSim:
      let isMetric = unit.isMetric ?? false
      // Where it does not say so, the unit tells the system.
      let isIOS = system.map { $0 == "ios" } ?? !isMetric
      return (isMetric ? metric : 1) * (isIOS ? -1 : 1)
    }
  }
}
