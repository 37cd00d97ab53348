import MoCore
import MoMu
import MoSessionCore

/// The effects that a room has on this machine: it mutes the sound, sets its level, and keeps the machine awake during
/// a rhythm.
///
/// A call for silence mutes the sound. The conductor sets the levels of the sections.
///
/// - Thread: any.
package final class SessionSideEffects: @unchecked Sendable {
  // Unchecked: guarded by `lock`.
  private let lock = MoMutex()
  private var isSilenced = false
  private let sleepGuard = SleepGuard()

  package init() {}

  deinit { sleepGuard.keepAwake(false) }

  /// Applies the effect of an event on this machine: mutes the sound, sets its level, or keeps the machine awake while
  /// a rhythm runs.
  ///
  /// The sound fades within 10 ms of a call for silence, and comes back when the call is lifted.
  package func handle(_ event: SessionEvent, _ beat: BeatClock) {
    lock.withLock {
      switch event {
      case .panic:
        isSilenced = true
        MoAudio.isMuted = true
      case .panicLifted:
        if isSilenced { MoAudio.isMuted = false }
        isSilenced = false
      case .level(let level): MoAudio.level = level
      default: break
      }
      // A stop is announced less than a bar ahead; no machine falls asleep that soon.
      sleepGuard.keepAwake(beat.timeline?.last.isPlaying ?? false)
    }
  }

  /// Lets the machine sleep, and restores the sound, since silence and level belong to the room that the program
  /// leaves.
  ///
  /// - Parameter isSilent: true if the program ends; the sound then stays muted or at its level.
  package func end(isSilent: Bool) {
    lock.withLock {
      sleepGuard.keepAwake(false)
      // As for silence: muted sound must not return at the end.
      if !isSilent { MoAudio.level = 1 }
      guard isSilenced, !isSilent else { return }
      isSilenced = false
      MoAudio.isMuted = false
    }
  }
}
