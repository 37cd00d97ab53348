import MIDICore
import MoCore

/// Follows the clock of the first port that sends one; another port replaces it after two seconds of silence.
///
/// - Thread: any.
package final class MIDIClockInput: Sendable {
  private struct State {
    var follower = MIDIClockFollower()
    var port: String?
    var last = HostTime.distantPast
  }

  private let state = Locked(State())
  /// Seconds without a clock after which another port may lead.
  private static let patience = 2.0

  package init() {}

  /// Processes a message; only clocks and the messages that belong to them count.
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

  /// The gear's beat and tempo, as a copy.
  package var gear: MIDIClockFollower { state.withLock { $0.follower } }

  /// The port that leads; nil before the first clock.
  package var port: String? { state.withLock { $0.port } }
}
