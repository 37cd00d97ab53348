import MoCore
import MoOSC

/// The messages of phones, on their way from the network's thread to the thread `mo-input`, which reads the sensors.
///
/// - Thread: `take` on the network's thread, all other members on `mo-input`.
final class PhoneInbox: @unchecked Sendable {
  // Unchecked: `lock` guards everything that changes, and under it one thread at a time pushes.
  private let lock = MoMutex()
  private var choice = PhoneSelector()
  private var firstWaiting: HostTime?
  private let readings = MoQueue<AccelReading>(capacity: 1024)
  /// The event that wakes the thread `mo-input`: raised when readings or reports are waiting.
  let signal = WakeEvent()

  /// The largest delay from a message's time tag to its arrival, in seconds.
  ///
  /// If the delay is larger, the phone's clock is probably slow, so the time of arrival is used instead of the time
  /// tag.
  private static let mostLateness = 0.25

  /// Handles a message.
  ///
  /// - Parameters:
  ///   - host: the address of the sender, without the port.
  ///   - time: the message's time tag, or its arrival if it has no time tag.
  ///   - arrival: the time at which the message arrived.
  func take(_ message: OSCMessage, from host: String, time: HostTime, arrival: HostTime) {
    let isNews = lock.withLock { () -> Bool in
      if let vector = choice.take(message, from: host, at: arrival) {
        let stamp = arrival.seconds(since: time) <= PhoneInbox.mostLateness ? time : arrival
        readings.push(AccelReading(time: stamp, x: vector.x, y: vector.y, z: vector.z))
        firstWaiting = firstWaiting ?? stamp
        return true
      }
      return choice.hasNews
    }
    if isNews { signal.raise() }
  }

  /// Returns the reports that are due by `now`; call it before the calls of `next()`.
  func news(until now: HostTime) -> [PhoneSelector.News] {
    lock.withLock {
      firstWaiting = nil
      choice.advance(to: now)
      return choice.takeNews()
    }
  }

  /// The time of the first reading that waits; nil if none waits.
  var waitingTime: HostTime? { lock.withLock { firstWaiting } }

  /// Pops the next reading.
  func next() -> AccelReading? { readings.pop() }

  /// The next time at which `news` returns a report even if no message arrives; nil if there is no such time.
  var nextTime: HostTime? { lock.withLock { choice.nextTime } }

  /// The counts of the messages so far, one count for each result of a message.
  var counts: PhoneSelector.Counts { lock.withLock { choice.counts } }
}
