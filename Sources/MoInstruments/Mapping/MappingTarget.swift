import MoCore
import MoDSP

/// Something that a mapping moves: an instrument, or MIDI out.
protocol MappingTarget {
  /// The parameters that rules can set.
  var parameters: [Parameter] { get }

  /// Returns the index of a parameter in `parameters`; nil for an unknown name.
  func index(of name: String) -> Int?

  /// Carries out the action of a rule.
  ///
  /// - Parameter time: the time of the source's movement.
  func map(_ action: MappingAction, at time: HostTime)
}

/// The effect of a rule on its target.
enum MappingAction {
  /// Sets the parameter at an index of `parameters` to a value.
  case set(Int, Float)
  /// Plays an event.
  case event(InstrumentEvent)
  /// Plays a note with a pitch, a velocity and a length.
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
