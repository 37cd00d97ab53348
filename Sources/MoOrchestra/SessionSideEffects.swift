import MoCore
import MoMu
import MoSessionCore

/// The effects that a room has on this machine: it mutes the sound, sets its level, and keeps the machine awake during
/// a rhythm.
///
/// A call for silence mutes the sound. The conductor sets the levels of the sections.
///
/// - Thread: any.
package final class SessionSideEffects: Sendable {
  private let sleepGuard = SleepGuard()

  package init() {}

  deinit { sleepGuard.keepAwake(false) }

  /// Applies the effect of an event on this machine: mutes the sound, sets its level, or keeps the machine awake while
  /// a rhythm runs.
  ///
  /// The sound fades within 10 ms of a call for silence, and comes back when the call is lifted.
  package func handle(_ event: SessionEvent, _ beat: BeatClock) {
    switch event {
    case .panic: AudioServer.shared.isRoomMuted = true
    case .panicLifted: AudioServer.shared.isRoomMuted = false
    case .level(let level): AudioServer.shared.roomLevel = level
    default: break
    }
    // A stop is announced less than a bar ahead; no machine falls asleep that soon.
    sleepGuard.keepAwake(beat.timeline?.last.isPlaying ?? false)
  }

  /// Lets the machine sleep, and restores the sound, since silence and level belong to the room that the program
  /// leaves.
  ///
  /// - Parameter isSilent: true if the program ends; the sound then stays muted or at its level.
  package func end(isSilent: Bool) {
    sleepGuard.keepAwake(false)
    // Muted sound must not return at the end.
    guard !isSilent else { return }
    AudioServer.shared.roomLevel = 1
    AudioServer.shared.isRoomMuted = false
  }
}
