import MoCore
import MoDSP

/// The receiver of a mapping's actions: an instrument, or MIDI out.
protocol MappingTarget {
  /// The parameters that rules can set.
  var parameters: [Parameter] { get }

  /// Returns the index of a parameter in `parameters`; nil for an unknown name.
  func index(of name: String) -> Int?

  /// Carries out the action of a rule.
  ///
  /// - Parameter time: the time of the movement, or of the controller's message, that caused the action.
  func map(_ action: MappingAction, at time: HostTime)
}

/// The effect of a rule on its target.
enum MappingAction {
  /// A new value for the parameter with this index in `MappingTarget.parameters`.
  case set(Int, Float)
  /// An event to play, such as a strike or a pitch bend.
  case event(InstrumentEvent)
  /// A note to play, with its pitch, velocity and length.
  case note(Float, velocity: Float, Duration)
}

extension InstrumentHandle: MappingTarget {
  func map(_ action: MappingAction, at time: HostTime) {
    switch action {
    case .set(let place, let value): set(place, to: value, at: time)
    case .event(let event): send(event, at: time)
    case .note(let pitch, let velocity, let length):
      playNote(pitch, velocity: velocity, for: length, at: time)
    }
  }
}
