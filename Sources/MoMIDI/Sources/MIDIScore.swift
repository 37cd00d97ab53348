import MoCore
import MoRuntime

/// Messages with their times, played one after another: from a tape, a MIDI file or a simulated player.
///
/// - Thread: any, but one at a time.
package final class MIDIScore: EventTimer {
  /// A message of the score and its time, in nanoseconds from the beginning.
  package struct Step: Sendable {
    package var nanoseconds: Int64
    package var message: MIDITapeMessage
  }

  package let name: String
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

/// The messages of a MIDI file, played in time with a shared beat: from the next bar line on, at the rhythm's tempo.
///
/// When the rhythm stops, the file's notes end. When the rhythm starts again, the file begins again.
///
/// - Thread: any, but one at a time.
package final class MIDIBeatScore: EventTimer {
  /// A message and its position, in quarter notes from the file's beginning.
  package struct Step: Sendable {
    package var quarters: Double
    package var message: MIDITapeMessage

    package init(quarters: Double, message: MIDITapeMessage) {
      (self.quarters, self.message) = (quarters, message)
    }
  }

  package let name: String
  package private(set) var nextTime: HostTime?
  /// Whether the file plays, or will play in a rhythm that is announced.
  package var isFinite: Bool { place == nil ? beat().course?.last.isPlaying ?? false : !isOver }
  private let steps: [Step]
  private let length: Double
  private let beat: () -> BeatClock
  private let lead: () -> Double
  private let deliver: (MIDITapeMessage, HostTime) -> Void
  private let ended: (HostTime) -> Void
  private var next = 0
  /// The take in which the file is played, and the beat of this take at which the file begins; nil while the rhythm is
  /// stopped.
  private var place: (take: UInt32, beat: Double)?
  private var isOver = false

  /// The time between two queries of the shared beat, in seconds.
  private static let pause = 0.005

  /// - Parameters:
  ///   - steps: the messages, in the order of their positions.
  ///   - length: the length of the file, in quarter notes.
  ///   - beat: returns the shared beat.
  ///   - lead: returns the time from the delivery of a message to the moment at which it must be heard, in seconds.
  ///   - deliver: receives each message and the time at which it must be heard.
  ///   - ended: called when the file or the rhythm ends; receives the time at which this end must be heard.
  package init(
    name: String, _ steps: [Step], length: Double, from start: HostTime, beat: @escaping () -> BeatClock,
    lead: @escaping () -> Double, deliver: @escaping (MIDITapeMessage, HostTime) -> Void,
    ended: @escaping (HostTime) -> Void
  ) {
    (self.name, self.steps, self.length) = (name, steps, length)
    (self.beat, self.lead, self.deliver, self.ended) = (beat, lead, deliver, ended)
    nextTime = start
  }

  package func service(until now: HostTime) {
    nextTime = now.advanced(bySeconds: Self.pause)
    let clock = beat()
    let soon = now.advanced(bySeconds: lead())
    guard let timeline = clock.course, clock.isPlaying(at: soon) else { return halt(at: soon) }
    if let place, place.take != timeline.take { halt(at: soon) }
    // A file that was played to its end waits for the next rhythm.
    guard let place = place ?? begin(timeline, clock, from: soon), !isOver else { return }
    let unit = Double(timeline.segment(at: clock.sessionTime(at: soon)).meter.unit) / 4
    guard let heard = clock.beat(at: soon) else { return }
    while next < steps.count {
      let wanted = place.beat + steps[next].quarters * unit
      guard wanted <= heard else { return }
      next += 1
      // A beat that was passed, such as by a jump of the rhythm, is due immediately.
      deliver(steps[next - 1].message, clock.time(ofBeat: wanted, from: now) ?? soon)
    }
    guard place.beat + length * unit <= heard else { return }
    isOver = true
    ended(soon)
  }

  private func begin(_ timeline: Timeline, _ clock: BeatClock, from soon: HostTime) -> (
    take: UInt32, beat: Double
  )? {
    let time = clock.sessionTime(at: soon)
    let segment = timeline.segment(at: time)
    let line = max(segment.line(.bar, from: segment.beat(at: time)), segment.soundsFrom)
    (next, isOver, place) = (0, false, (timeline.take, line))
    return place
  }

  private func halt(at time: HostTime) {
    guard place != nil else { return }
    if !isOver { ended(time) }
    place = nil
  }
}
