/// Whether `mo-net`, having delivered, lets a little more arrive before it looks again.
///
/// To be woken costs more than a message does. Where messages come one by one, and so fast that nobody hears the
/// difference, some for one waking are a fraction of the work: a network card that holds its interrupts back does the same. What
/// comes after a pause, and so every lone message, is never kept waiting.
///
/// - Thread: `mo-net` alone; a plain value.
struct NetCoalescing {
  /// How long it lets more arrive, in nanoseconds: the most by which a message can be later than without.
  static let length: Int64 = 600_000
  /// So many messages tell how fast they come.
  static let sample = 64
  /// From this many a second on they are gathered: 1 kHz, which sensors and pings have, is left alone.
  static let rate: Int64 = 2_500

  private var start: Int64 = .min
  private var count = 0
  private var gathers = false

  /// How long to let more arrive, in nanoseconds, after this many were read and all was delivered.
  mutating func pause(after messages: Int, at now: Int64) -> Int64 {
    guard messages > 0 else { return 0 }
    count += messages
    if count >= Self.sample {
      // The first sample has no beginning, and says nothing.
      gathers = start != .min && now &- start < Int64(count) * 1_000_000_000 / Self.rate
      (start, count) = (now, 0)
    }
    // Many at once are gathered already, and the kernel's room for them is not endless.
    return gathers && messages < NetBackupReader.burst ? Self.length : 0
  }
}
