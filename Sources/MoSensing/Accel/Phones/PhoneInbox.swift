import MoCore
import MoOSC

/// What phones sent, on its way from the network thread to the one that drives the inputs.
///
/// - Thread: `take` on the network's thread, all else on the servicing one.
final class PhoneInbox: @unchecked Sendable {
  // Unchecked: what changes is guarded by `lock`, and under it one thread at a time pushes.
  private let lock = MoMutex()
  private var choice = PhoneSelector()
  private var firstWaiting: HostTime?
  private let readings = MoQueue<AccelReading>(capacity: 1024)
  /// Raised when there is something to look at.
  let signal = WakeEvent()

  /// How late a time tag may be: a phone's clock that is further behind is not believed.
  private static let mostLateness = 0.25

  /// Takes a message.
  ///
  /// - Parameters:
  ///   - host: where it came from, without the port.
  ///   - time: when it takes effect: its time tag's moment, else its arrival.
  ///   - arrival: when it came.
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

  /// What there is to tell by `now`, before the readings are taken.
  func news(until now: HostTime) -> [PhoneSelector.News] {
    lock.withLock {
      firstWaiting = nil
      choice.advance(to: now)
      return choice.takeNews()
    }
  }

  /// When the first reading that waits was made; nil where none does.
  var waitingTime: HostTime? { lock.withLock { firstWaiting } }

  /// The next reading that came.
  func next() -> AccelReading? { readings.pop() }

  /// When `news` has something to tell by itself.
  var nextTime: HostTime? { lock.withLock { choice.nextTime } }

  /// What came of the messages so far, and whether a phone is read.
  var counts: PhoneSelector.Counts { lock.withLock { choice.counts } }
}
