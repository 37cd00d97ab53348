/// The decision whether `mo-net`, after a delivery, lets more messages arrive before it polls again.
///
/// To wake the thread costs more than to handle a message. So if messages come one by one, but fast, several are
/// gathered for each wake-up; the delay is too short to be heard. A network card that delays its interrupts does the
/// same. A message after a pause never waits.
///
/// - Thread: `mo-net` alone; a plain value.
struct NetCoalescing {
  /// The time for which it gathers messages, in nanoseconds: the largest delay that it adds to a message.
  static let length: Int64 = 600_000
  /// The number of messages over which their rate is measured.
  static let sample = 64
  /// The rate from which messages are gathered, in messages per second; sensors and pings, with 1,000 per second, are
  /// below it.
  static let rate: Int64 = 2_500

  private var start: Int64 = .min
  private var count = 0
  private var gathers = false

  /// Returns the nanoseconds to wait for more messages, after `messages` were read and all was delivered; 0 for no
  /// wait.
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
