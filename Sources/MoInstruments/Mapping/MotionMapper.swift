import Glibc
import MoDSP
import MoMu

/// Applies a mapping: translates each motion into events and parameters of an instrument.
///
/// - Thread: any, but one at a time; usually the sensor's thread.
struct MotionMapper {
  /// The state of a rule, which lasts from each motion to the next.
  private struct RuleState {
    /// The smoothing of the rule's values; nil before the first value, and for a rule without smoothing.
    var slew: Slew?
    /// The value that the rule sent last; nil if the rule has sent none.
    var last: Float?
    /// The last value of a rule with the source `tilt-roll`, within the rule's range; nil before the first value.
    var angle: Float?
    /// Whether the source has exceeded the rule's `above`, and has not fallen below `below` since then.
    var isHigh = false
  }

  /// The current mapping; if it is replaced, the note that a gate holds is released at the next motion or controller.
  var mapping: Mapping {
    didSet {
      ruleStates = Array(repeating: RuleState(), count: mapping.rules.count)
      hasChanged = true
    }
  }
  private var ruleStates: [RuleState]
  private var hasChanged = false
  private var time: HostTime?
  private var pitch: Float?
  private var gate: Float?

  /// The ID of the note that a gate holds.
  private static let gateID: Int32 = -10
  /// The length of the note that a strike plays if a rule sets the pitch.
  private static let strikeLength = Duration.milliseconds(250)

  init(_ mapping: Mapping) {
    self.mapping = mapping
    ruleStates = Array(repeating: RuleState(), count: mapping.rules.count)
  }

  /// Applies the rules to a motion.
  mutating func read(_ motion: Motion, _ handle: some MappingTarget) {
    leaveLastMapping(handle, at: motion.time)
    let step = time.map { Float(max(0, min(motion.time.seconds(since: $0), 1))) } ?? 0
    time = motion.time
    for index in mapping.rules.indices {
      guard case .motion(let source) = mapping.rules[index].source, let value = source.value(motion) else {
        continue
      }
      follow(index, value, at: motion.time, step, handle)
    }
  }

  /// Ends the note that a gate holds, now; at the next motion, the sources count as if they had been low before.
  mutating func end(_ handle: some MappingTarget) {
    for index in ruleStates.indices { ruleStates[index].isHigh = false }
    endGate(handle, at: .distantPast)
  }

  /// Applies a MIDI controller's value, 0…127, and returns whether a rule uses it.
  ///
  /// The value is not smoothed, because a controller sends values only while it is moved.
  mutating func read(
    control number: Int, value: Float, at time: HostTime, _ handle: some MappingTarget
  ) -> Bool {
    leaveLastMapping(handle, at: time)
    var isUsed = false
    for index in mapping.rules.indices where mapping.rules[index].source == .control(number) {
      isUsed = true
      follow(index, value, at: time, 0, handle)
    }
    return isUsed
  }

  /// Ends the gate of a mapping that was replaced, and its pitch if no rule of the current mapping sets the pitch.
  private mutating func leaveLastMapping(_ handle: some MappingTarget, at time: HostTime) {
    guard hasChanged else { return }
    hasChanged = false
    endGate(handle, at: time)
    if !mapping.rules.contains(where: { $0.target == .note }) { pitch = nil }
  }

  private mutating func follow(
    _ index: Int, _ raw: Float, at time: HostTime, _ step: Float, _ handle: some MappingTarget
  ) {
    let rule = mapping.rules[index]
    var value = Self.alive(raw, beyond: rule.dead)
    if rule.source == .motion(.tiltRoll) { value = unwrapped(index, value) }
    let part = smoothed(index, powf(rule.from.part(of: value), rule.curve), step)
    switch rule.target {
    case .parameter(let name): set(name, rule, index, part, time, handle)
    case .note: setPitch(rule, part, time, handle)
    case .bend:
      let semitones = rule.span.value(at: part)
      if moves(index, semitones, hold: rule.hold) { handle.map(.event(.bend(semitones)), at: time) }
    case .strike:
      guard rule.source.isMomentary || rises(index, value) else { return }
      strike(rule.span.value(at: part), at: time, handle)
    case .gate: holdGate(rule, index, value, part, time, handle)
    }
  }

  /// Returns the value after a dead zone: 0 if the value is within `reach` of 0; otherwise the value, moved nearer to 0
  /// by `reach`.
  private static func alive(_ value: Float, beyond reach: Float) -> Float {
    value > reach ? value - reach : value < -reach ? value + reach : 0
  }

  /// Returns an angle within the rule's range as it is; otherwise the equal angle that is nearest to the last angle.
  ///
  /// Angles that differ by 360° are equal. So the value does not jump from one end of the range to the other if the
  /// device is turned over, where the roll changes from 180° to −180°.
  private mutating func unwrapped(_ index: Int, _ roll: Float) -> Float {
    let from = mapping.rules[index].from
    let (low, high) = (min(from.begin, from.end), max(from.begin, from.end))
    var angle = roll
    if let last = ruleStates[index].angle, roll < low || roll > high {
      angle -= 360 * ((roll - last) / 360).rounded()
    }
    ruleStates[index].angle = max(low, min(angle, high))
    return angle
  }

  private mutating func smoothed(_ index: Int, _ part: Float, _ step: Float) -> Float {
    let rule = mapping.rules[index]
    guard rule.smooth > 0, case .motion(let source) = rule.source, !source.isMomentary else { return part }
    guard ruleStates[index].slew != nil else {
      ruleStates[index].slew = Slew(part, within: rule.smooth)
      return part
    }
    return ruleStates[index].slew?.follow(part, by: step) ?? part
  }

  /// Returns whether a value differs by more than `hold` from the value that the rule sent last; if so, stores the
  /// value.
  private mutating func moves(_ index: Int, _ value: Float, hold: Float) -> Bool {
    if let last = ruleStates[index].last, abs(value - last) <= hold { return false }
    ruleStates[index].last = value
    return true
  }

  /// Returns whether a source has just exceeded the rule's `above`, for the first time since it was last below `below`.
  private mutating func rises(_ index: Int, _ value: Float) -> Bool {
    let rule = mapping.rules[index]
    let wasHigh = ruleStates[index].isHigh
    if value > rule.above { ruleStates[index].isHigh = true }
    if value < rule.below { ruleStates[index].isHigh = false }
    return ruleStates[index].isHigh && !wasHigh
  }

  private mutating func set(
    _ name: String, _ rule: Mapping.Rule, _ index: Int, _ part: Float, _ time: HostTime,
    _ handle: some MappingTarget
  ) {
    guard let place = handle.index(of: name) else { return }
    let parameter = handle.parameters[place]
    // The range between two values is divided as the parameter's own range is.
    let way = rule.to.map { Mapping.Span(parameter.part(of: $0.begin), parameter.part(of: $0.end)) }
    let value = parameter.value(at: way?.value(at: part) ?? part)
    if moves(index, value, hold: rule.hold) { handle.map(.set(place, value), at: time) }
  }

  private mutating func setPitch(
    _ rule: Mapping.Rule, _ part: Float, _ time: HostTime, _ handle: some MappingTarget
  ) {
    let wanted = rule.span.value(at: part)
    var next = wanted
    if let scale = rule.scale {
      next = Float(scale.nearest(to: Double(wanted)))
      // Between two notes, a trembling hand keeps the current one.
      if let pitch, abs(wanted - pitch) - abs(wanted - next) <= rule.hold { next = pitch }
    }
    guard next != pitch else { return }
    pitch = next
    if let gate { handle.map(.event(.noteMove(Note(next, velocity: gate, id: Self.gateID))), at: time) }
  }

  private func strike(_ force: Float, at time: HostTime, _ handle: some MappingTarget) {
    guard let pitch else {
      handle.map(.event(.strike(force)), at: time)
      return
    }
    handle.map(.note(pitch, velocity: force, Self.strikeLength), at: time)
  }

  private mutating func holdGate(
    _ rule: Mapping.Rule, _ index: Int, _ value: Float, _ part: Float, _ time: HostTime,
    _ handle: some MappingTarget
  ) {
    let velocity = rule.span.value(at: part)
    if rises(index, value) {
      gate = velocity
      handle.map(.event(.noteOn(Note(pitch ?? 60, velocity: velocity, id: Self.gateID))), at: time)
    } else if !ruleStates[index].isHigh {
      if !holdsGate { endGate(handle, at: time) }
    } else if gate != nil, moves(index, velocity, hold: max(rule.hold, 0.02)) {
      gate = velocity
      handle.map(.event(.noteMove(Note(pitch ?? 60, velocity: velocity, id: Self.gateID))), at: time)
    }
  }

  /// Whether a rule with the target `gate` still holds its note.
  private var holdsGate: Bool {
    mapping.rules.indices.contains { mapping.rules[$0].target == .gate && ruleStates[$0].isHigh }
  }

  private mutating func endGate(_ handle: some MappingTarget, at time: HostTime) {
    guard gate != nil else { return }
    gate = nil
    handle.map(.event(.noteOff(Note(pitch ?? 60, velocity: 0.5, id: Self.gateID))), at: time)
  }
}

extension Mapping.Rule {
  /// The target's range: the range in the rule, or otherwise the default range of the target.
  var span: Mapping.Span { to ?? target.usual }
}
