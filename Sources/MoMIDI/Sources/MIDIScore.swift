import MIDICore
import MoCore
import MoRuntime

/// Messages with their times, played one after another: from a tape, a MIDI file or a simulated player.
///
/// - Thread: any, but one at a time.
package final class MIDIScore: EventSource {
  /// A message of the score and its time, in nanoseconds from the beginning.
  package struct Step: Sendable {
    package var nanoseconds: Int64
    package var message: MIDITapeMessage
  }

  package let name: String
  package let descriptor: Int32? = nil
  package let isFinite: Bool
  private let steps: [Step]
  private let length: Int64
  private var start: HostTime
  private var next = 0
  private let deliver: (MIDITapeMessage, HostTime) -> Void
  private let ended: (HostTime) -> Void

  /// - Parameters:
  ///   - steps: the messages, in the order of their times.
  ///   - nanoseconds: the length of the score; a length below 1 ms is replaced by 1 ms.
  ///   - loops: whether the score begins again at its end.
  ///   - start: the time at which the score begins.
  ///   - deliver: receives each message and its time.
  ///   - ended: called at the end, and each time before the score begins again; receives the time of this end.
  init(
    name: String, _ steps: [Step], nanoseconds: Int64, loops: Bool, from start: HostTime,
    deliver: @escaping (MIDITapeMessage, HostTime) -> Void, ended: @escaping (HostTime) -> Void
  ) {
    (self.name, self.steps, self.start, isFinite) = (name, steps, start, !loops)
    length = max(nanoseconds, 1_000_000)
    (self.deliver, self.ended) = (deliver, ended)
  }

  /// The time of the next message, or of the end after the last message; nil after the end.
  package var nextTime: HostTime? {
    guard next <= steps.count else { return nil }
    return start.advanced(byNanoseconds: next < steps.count ? steps[next].nanoseconds : length)
  }

  package func service(until now: HostTime) {
    while let time = nextTime, time <= now {
      guard next < steps.count else {
        ended(time)
        next = isFinite ? next + 1 : 0
        start = start.advanced(byNanoseconds: length)
        // After a sleep, the process continues from now.
        if now.nanoseconds(since: start) > length { start = now }
        continue
      }
      next += 1
      deliver(steps[next - 1].message, time)
    }
  }
}
