import MIDICore
import MoCore

/// Follows the MIDI clock of the first port that sends a clock.
///
/// If the followed port has sent no clock for two seconds, another port that sends a clock replaces it.
package final class MIDIClockInput: Sendable {
  private struct State {
    var follower = MIDIClockFollower()
    var port: String?
    var last = HostTime.distantPast
  }

  private let state = Locked(State())
  /// The seconds without a clock from the followed port after which another port may replace it.
  private static let patience = 2.0

  package init() {}

  /// Updates the beat by a clock, start, continue, stop or song position message of the followed port; ignores all
  /// other messages.
  package func take(_ event: MIDIEvent) {
    switch event.message {
    case .clock, .start, .continue, .stop, .songPosition: break
    default: return
    }
    state.withLock { state in
      if state.port != event.port {
        guard state.port == nil || event.time.seconds(since: state.last) > Self.patience else { return }
        // The starts count on: a new start must not look like an old one.
        (state.port, state.follower) = (event.port, MIDIClockFollower(starts: state.follower.starts))
      }
      state.last = event.time
      state.follower.receive(event.message, at: event.time)
    }
  }

  /// The beat and tempo of the followed port, as a copy.
  package var gear: MIDIClockFollower { state.withLock { $0.follower } }

  /// The name of the followed port; nil before the first clock.
  package var port: String? { state.withLock { $0.port } }
}
