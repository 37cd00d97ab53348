import MoCore
import MoMu
import MoSessionCore

/// What a session sees to without being asked: silence when somebody calls for it, sections as loud as who leads says, and
/// a machine that stays awake while a rhythm runs.
///
/// - Thread: any.
final class SessionSideEffects: @unchecked Sendable {
  // Unchecked: guarded by `lock`.
  private let lock = MoMutex()
  private var isSilenced = false
  private let sleepGuard = SleepGuard()

  deinit { sleepGuard.keepAwake(false) }

  /// Takes in what happened.
  ///
  /// The sound fades within 10 ms of a call for silence, and comes back when that is lifted.
  func take(_ event: SessionEvent, _ beat: BeatClock) {
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
      // A stop is announced less than a bar ahead, which no machine takes for idling.
      sleepGuard.keepAwake(beat.timeline?.last.isPlaying ?? false)
    }
  }

  /// Lets the machine sleep again, and the sound be heard: who called for silence did so in a room that is left.
  ///
  /// - Parameter isSilent: whether the program ends, which nobody wants to hear.
  func end(isSilent: Bool) {
    lock.withLock {
      sleepGuard.keepAwake(false)
      // As for silence: at the end nobody wants to hear what was muted.
      if !isSilent { MoAudio.level = 1 }
      guard isSilenced, !isSilent else { return }
      isSilenced = false
      MoAudio.isMuted = false
    }
  }
}
