import MoCore

/// The beat of gear that leads by MIDI clock: phase and tempo, from clocks that come late, early or not at all.
///
/// A line through the last clocks' times gives both; the line is as long as the tempo is steady, twelve quarter notes at
/// most. A clock that did not come is counted by the time it leaves open. When clocks leave the line, it begins anew
/// behind the change. While none comes, the beat goes on.
///
/// - Thread: one owner.
/// - Real-time safe: yes, once made.
public struct MIDIClockFollower: Sendable {
  /// Whether the gear plays.
  public private(set) var isRunning = false

  var window = MIDIClockWindow()
  /// The clock, as the window counts them, at the song's beginning; nil before the first start.
  private var origin: Int?
  /// The song position in clocks, for the next start.
  private var position = 0
  private var isArmed = false
  /// No beat below this one is told, so that the beat never goes back.
  private var floor = -Double.greatestFiniteMagnitude

  /// A follower that has heard nothing.
  public init() {}

  /// Takes a message and when it came; it looks at clock, start, continue, stop and song position.
  public mutating func receive(_ message: MIDIMessage, at time: HostTime) {
    switch message {
    case .clock:
      let number = window.add(time)
      guard isArmed else {
        origin = origin.map { $0 + window.shift }
        return
      }
      (isArmed, isRunning, origin) = (false, true, number - position)
      window.mark()
      floor = -.greatestFiniteMagnitude
    case .start: (position, isArmed) = (0, true)
    case .continue: isArmed = true
    case .stop:
      if isRunning, let origin { position = max(0, window.last - origin + 1) }
      (isRunning, isArmed) = (false, false)
    case .songPosition(let place): position = Int(place.value) * 6
    default: break
    }
  }

  /// Quarter notes since the song's beginning at a moment; nil while the gear stands still, or before the fourth clock.
  ///
  /// It never goes back while the gear plays.
  public mutating func beat(at time: HostTime) -> Double? {
    guard isRunning, let origin, let clock = window.clock(at: time) else { return nil }
    floor = max(floor, (clock - Double(origin)) / 24)
    return floor
  }

  /// Quarter notes a minute; nil before the fourth clock.
  public var tempo: Double? { window.interval.map { 60 / (24 * $0) } }

  /// How far clocks are from the line in seconds, as a root mean square; nil before the fourth clock.
  public var jitter: Double? { window.interval.map { _ in window.deviation } }

  /// Clocks that did not come.
  public var lost: Int { window.lost }

  /// Whether no clock came for a quarter note, and half a second, before a moment.
  public func isCoasting(at time: HostTime) -> Bool {
    guard let interval = window.interval, let newest = window.newest else { return false }
    return time.seconds(since: newest) > max(0.5, 24 * interval)
  }
}
