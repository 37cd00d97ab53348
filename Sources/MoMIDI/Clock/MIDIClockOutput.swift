import MIDICore
import MoCore
import MoRuntime

/// Sends a shared beat as MIDI clock.
///
/// Each clock message is queued a little before it is due. It is sent at the time of its position in the beat, plus the
/// time that `--midi-trim` gives.
///
/// - Thread: one owner, the thread that calls `service`: `mo-input`, or offline the thread that renders. `close` from
///   any, after the last call of `service`.
final class MIDIClockOutput: EventSource, @unchecked Sendable {
  // Unchecked: `leader` belongs to the servicing thread, and after its removal to the caller of `close`.
  let name = "MIDI clock"
  let descriptor: Int32? = nil
  // It does not delay an end that other sources have found.
  let isFinite = true
  private(set) var nextTime: HostTime?
  private let beat: @Sendable () -> BeatClock
  private let trim: Double
  private let send: @Sendable (MIDIMessage, HostTime) -> Void
  private var leader: MIDIClockLeader
  private var isRunning = false

  /// Seconds between two polls of the beat.
  private static let pause = 0.01
  /// The seconds by which messages are queued before their time; a change of the beat does not affect queued messages.
  private static let ahead = 0.03

  /// - Parameters:
  ///   - start: the time before which nothing is sent.
  ///   - trim: the seconds by which each message is sent later; negative for earlier.
  ///   - beat: returns the shared beat.
  ///   - send: queues a message until its time.
  init(
    from start: HostTime, trim: Double, _ beat: @escaping @Sendable () -> BeatClock,
    _ send: @escaping @Sendable (MIDIMessage, HostTime) -> Void
  ) {
    (self.beat, self.trim, self.send) = (beat, trim, send)
    leader = MIDIClockLeader(from: start)
    nextTime = start
  }

  func service(until now: HostTime) {
    let beat = beat()
    // Sending earlier needs a longer look ahead.
    let until = now.advanced(bySeconds: Self.ahead + max(0, -trim))
    while let event = leader.next(by: beat, until: until) {
      switch event.message {
      case .start, .continue: isRunning = true
      case .stop: isRunning = false
      default: break
      }
      send(event.message, event.time.advanced(bySeconds: trim))
    }
    nextTime = now.advanced(bySeconds: Self.pause)
  }

  /// Sends a stop message to the gear if a start or continue message was sent after the last stop message.
  func close(at now: HostTime) {
    nextTime = nil
    if isRunning { send(.stop, now) }
    isRunning = false
  }
}
