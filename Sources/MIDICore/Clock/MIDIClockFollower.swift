import MoCore

/// Follows the beat of gear that leads by MIDI clock: phase and tempo, despite late, early or lost clocks.
///
/// A line through the last clocks' times gives both. It is as long as the tempo is steady, twelve quarter notes at
/// most. A lost clock is counted by the gap in time. When clocks leave the line, it begins again after the change. If
/// no clocks arrive, the beat continues.
///
/// - Thread: one owner.
/// - Real-time safe: yes, once created.
public struct MIDIClockFollower: Sendable {
  /// Whether the gear plays.
  public private(set) var isRunning = false

  var window = MIDIClockWindow()
  /// The window's clock number at the start of the song; nil before the first start.
  private var origin: Int?
  /// The song position in clocks, for the next start.
  private var position = 0
  private var isArmed = false
  /// The lowest beat to return, so that the beat never goes back.
  private var floor = -Double.greatestFiniteMagnitude

  /// Creates a follower without clocks.
  public init() {}

  /// Processes a message with its time; it uses clock, start, continue, stop and song position.
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

  /// Returns quarter notes since the start of the song; nil while the gear is stopped, or before the fourth clock.
  ///
  /// The result never decreases while the gear plays.
  public mutating func beat(at time: HostTime) -> Double? {
    guard isRunning, let origin, let clock = window.clock(at: time) else { return nil }
    floor = max(floor, (clock - Double(origin)) / 24)
    return floor
  }

  /// Quarter notes per minute; nil before the fourth clock.
  public var tempo: Double? { window.interval.map { 60 / (24 * $0) } }

  /// The jitter of the clocks in seconds, as a root mean square; nil before the fourth clock.
  public var jitter: Double? { window.interval.map { _ in window.deviation } }

  /// The number of lost clocks.
  public var lost: Int { window.lost }

  /// Returns whether the last clock was more than a quarter note, and more than half a second, before a moment.
  public func isCoasting(at time: HostTime) -> Bool {
    guard let interval = window.interval, let newest = window.newest else { return false }
    return time.seconds(since: newest) > max(0.5, 24 * interval)
  }
}
