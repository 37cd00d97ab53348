import MoMu
import MoSessionCore
import MoTime

/// What a session sees to without being asked: silence when somebody calls for it, sections as loud as who leads says, and
/// a machine that stays awake while a rhythm runs.
///
/// - Thread: any.
final class SessionCare: @unchecked Sendable {
  // Unchecked: guarded by `lock`.
  private let lock = MoMutex()
  /// The start of the rhythm that was silenced; nil while nothing is.
  private var silenced: UInt32?
  private let sleepGuard = SleepGuard()

  deinit { sleepGuard.keepAwake(false) }

  /// Takes in what happened.
  ///
  /// The sound fades within 10 ms of a call for silence, and comes back with the next start of a rhythm.
  func take(_ event: SessionEvent, _ beat: BeatClock) {
    let start = beat.timeline?.take ?? 0
    lock.withLock {
      switch event {
      case .panic:
        silenced = start
        MoAudio.isMuted = true
      case .timeline:
        if let silenced, silenced != start {
          MoAudio.isMuted = false
          self.silenced = nil
        }
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
      guard silenced != nil, !isSilent else { return }
      silenced = nil
      MoAudio.isMuted = false
    }
  }
}
