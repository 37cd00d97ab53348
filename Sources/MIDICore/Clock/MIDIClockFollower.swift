import MoCore

/// Measures the beat and tempo of gear that leads by MIDI clock, even if clocks are late, early or lost.
///
/// A clock is one message of MIDI clock; 24 clocks make a quarter note. A gap between clocks can mean a lost clock or a
/// slower tempo. The follower uses the explanation that fits all clocks best, for the tempo and for the count of lost
/// clocks. If no clocks arrive, the beat continues.
///
/// - Thread: one owner.
/// - Real-time safe: yes, once created.
public struct MIDIClockFollower: Sendable {
  /// Whether the gear plays: true from the first clock after a start or continue message until a stop message.
  public private(set) var isRunning = false
  /// The number of times that the gear has begun to play, at the first clock after a start or continue message.
  public private(set) var starts = 0

  private var tracker = MIDIClockTracker()
  /// The song position at which the gear will start next, in clocks from the start of the song.
  private var position = 0
  private var isArmed = false
  /// The highest beat that `beat(at:)` has returned since the gear started; later results are not lower.
  private var floor = -Double.greatestFiniteMagnitude

  /// Creates a follower that has not received a clock yet.
  ///
  /// - Parameter starts: the first value of the property `starts`. If this follower replaces an earlier follower, pass
  ///   the value of the earlier follower.
  public init(starts: Int = 0) { self.starts = starts }

  /// Processes a MIDI message that arrived at `time`.
  ///
  /// The follower uses the messages clock, start, continue, stop and song position, and ignores all other messages.
  public mutating func receive(_ message: MIDIMessage, at time: HostTime) {
    switch message {
    case .clock:
      tracker.add(time)
      guard isArmed else { return }
      (isArmed, isRunning) = (false, true)
      starts += 1
      tracker.restart(at: position)
      floor = -.greatestFiniteMagnitude
    case .start: (position, isArmed) = (0, true)
    case .continue: isArmed = true
    case .stop:
      if isRunning { position = max(0, tracker.last + 1) }
      (isRunning, isArmed) = (false, false)
    case .songPosition(let place): position = Int(place.value) * 6
    default: break
    }
  }

  /// Returns the gear's beat at `time`: quarter notes since the start of the song; nil if the beat is not known.
  ///
  /// The beat is not known while the gear is stopped, or before the fourth clock.
  ///
  /// The result never decreases while the gear plays.
  public mutating func beat(at time: HostTime) -> Double? {
    guard let beat = expectedBeat(at: time) else { return nil }
    floor = max(floor, beat)
    return floor
  }

  /// Returns the best estimate of the gear's beat at `time`, in quarter notes; nil in the same cases as `beat(at:)`.
  ///
  /// Unlike the result of `beat(at:)`, this result decreases when a clock shows that the gear is slower.
  public func expectedBeat(at time: HostTime) -> Double? {
    guard isRunning, let clock = tracker.clock(at: time) else { return nil }
    return clock / 24
  }

  /// Returns the uncertainty of the gear's beat at `time`, as a standard deviation in seconds; nil before the fourth
  /// clock.
  public func error(at time: HostTime) -> Double? { tracker.error(at: time) }

  /// The gear's tempo in quarter notes per minute; nil before the fourth clock.
  public var tempo: Double? { tracker.interval.map { 60 / (24 * $0) } }

  /// The jitter of the clocks in seconds, as a root mean square; nil before the fourth clock.
  public var jitter: Double? { tracker.interval.map { _ in tracker.deviation } }

  /// The delay of the newest clock against the steady beat, in seconds; negative if the clock came early, nil before
  /// the fourth clock.
  public var deviation: Double? { tracker.interval.map { _ in tracker.lateness } }

  /// The estimated number of clocks that were lost so far, except clocks that were lost in gaps of more than 4 s.
  public var lost: Int { tracker.lost }

  /// Returns whether the beat continues at a moment although no clocks arrive.
  ///
  /// The result is true if the last clock came more than a quarter note, and more than half a second, before `time`.
  public func isCoasting(at time: HostTime) -> Bool {
    guard let interval = tracker.interval, let newest = tracker.newest else { return false }
    return time.seconds(since: newest) > max(0.5, 24 * interval)
  }
}

/// Measures the MIDI clock of gear: tempo, jitter, lost clocks and silences.
///
/// - Thread: one owner.
package struct MIDIClockMeter: Sendable {
  /// The follower of the gear's clock, which has the gear's beat and tempo.
  package private(set) var gear = MIDIClockFollower()
  /// The number of clocks received so far; a clock is one message of MIDI clock.
  package private(set) var clocks = 0
  /// The number of silences while the gear played.
  ///
  /// A silence is a time without clocks that is longer than a quarter note, and longer than half a second.
  package private(set) var silences = 0

  private var newest: HostTime?
  /// The absolute distances of the last 480 clocks from the steady beat, in seconds; a new distance replaces the
  /// oldest.
  private var deviations: [Double] = []
  /// The number of clocks over which the jitter is measured: twenty quarter notes.
  private static let window = 480

  /// Creates a meter that has received no messages.
  package init() {}

  /// Processes a message with its time.
  package mutating func receive(_ message: MIDIMessage, at time: HostTime) {
    guard message == .clock else { return gear.receive(message, at: time) }
    if gear.isRunning, gear.isCoasting(at: time) { silences += 1 }
    gear.receive(message, at: time)
    if let deviation = gear.deviation {
      if deviations.count < Self.window {
        deviations.append(abs(deviation))
      } else {
        deviations[clocks % Self.window] = abs(deviation)
      }
    }
    clocks += 1
    newest = time
  }

  /// Returns the jitter, in seconds, that the given share of the last 480 clocks does not exceed.
  ///
  /// The jitter of a clock is its distance from the steady beat. The result is nil before 20 distances are known.
  ///
  /// - Parameter share: 0…1, such as 0.95.
  package func jitter(share: Double) -> Double? {
    guard deviations.count >= 20 else { return nil }
    let sorted = deviations.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  /// Returns the seconds from the last clock to `time`; nil before the first clock.
  package func silence(at time: HostTime) -> Double? { newest.map { time.seconds(since: $0) } }
}
