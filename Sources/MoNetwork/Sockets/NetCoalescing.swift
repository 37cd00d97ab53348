/// The decision how long `mo-net` waits for more messages after a delivery, before it reads the sockets again.
///
/// A wake-up of the thread costs more than the handling of a message. If single messages arrive in quick succession,
/// the thread therefore waits a little, and then handles several messages after a single wake-up. The delay is too
/// short to be heard. Network cards delay their interrupts for the same reason. A message that arrives after a pause is
/// delivered immediately.
///
/// - Thread: `mo-net` alone; a plain value.
struct NetCoalescing {
  /// The duration of each wait for more messages, in nanoseconds: the largest delay that coalescing adds to a message.
  static let length: Int64 = 600_000
  /// The number of messages in each measurement of the message rate.
  static let sample = 64
  /// The message rate, in messages per second, above which the thread waits for more messages.
  ///
  /// Sensors and pings, with 1,000 messages per second, stay below this rate, so their messages are not delayed.
  static let rate: Int64 = 2_500

  private var start: Int64 = .min
  private var count = 0
  private var gathers = false

  /// Returns the number of nanoseconds for which to wait for more messages; 0 for no wait.
  ///
  /// - Parameters:
  ///   - messages: the number of messages that were read just now; all of them have been delivered.
  ///   - now: the host time, in nanoseconds.
  mutating func pause(after messages: Int, at now: Int64) -> Int64 {
    guard messages > 0 else { return 0 }
    count += messages
    if count >= Self.sample {
      // The first sample has no start time, so it tells nothing.
      gathers = start != .min && now &- start < Int64(count) * 1_000_000_000 / Self.rate
      (start, count) = (now, 0)
    }
    // A burst is gathered already, and the kernel's buffer is limited.
    return gathers && messages < NetBackupReader.burst ? Self.length : 0
  }
}
