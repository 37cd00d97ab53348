/// The decision whether `mo-net`, after a delivery, lets more messages arrive before it polls again.
///
/// To wake the thread costs more than a message does. If messages come one by one, but so fast that a short delay is
/// inaudible, several for one wake-up are a fraction of the work. A network card that delays its interrupts does the
/// same. A message after a pause, and so every single message, never waits.
///
/// - Thread: `mo-net` alone; a plain value.
struct NetCoalescing {
  /// The time for which it gathers messages, in nanoseconds: the largest delay that it adds to a message.
  static let length: Int64 = 600_000
  /// The number of messages over which their rate is measured.
  static let sample = 64
  /// The rate from which on messages are gathered, per second: the 1 kHz of sensors and pings is below it.
  static let rate: Int64 = 2_500

  private var start: Int64 = .min
  private var count = 0
  private var gathers = false

  /// Returns the time to let more arrive, in nanoseconds, after this many messages were read and all was delivered.
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
