import MoCore

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
