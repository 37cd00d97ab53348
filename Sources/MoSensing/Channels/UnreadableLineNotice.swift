import MoCore

/// A check for a board whose lines cannot be parsed, because the board uses another format or another baud rate.
struct UnreadableLineNotice {
  private var begun: HostTime?
  private var isOver = false

  /// The time from the first data to the first check, in seconds.
  private static let patience = 5.0
  /// The number of bytes without the end of a line after which the data does not count as text.
  private static let mostBytes = 2048
  private static let fewest = 3
  private static let mostShown = 40

  /// Checks whether the lines that the board has sent so far can be parsed.
  ///
  /// The checks begin five seconds after the first call. They end after a warning, or after more than 100 valid lines.
  ///
  /// - Returns: the text of a warning if the lines cannot be parsed; otherwise nil.
  mutating func look(_ decoder: SerialDecoder, as name: String, now: HostTime) -> String? {
    guard !isOver else { return nil }
    let since = begun ?? now
    begun = since
    guard now.seconds(since: since) >= Self.patience else { return nil }
    let saysNothing = decoder.dropped >= Self.fewest && decoder.dropped > 9 * decoder.understood
    let hasNoLines = decoder.understood == 0 && decoder.dropped == 0 && decoder.received >= Self.mostBytes
    guard saysNothing || hasNoLines else {
      // A board with enough understood lines is no longer checked.
      if decoder.understood > 100 { isOver = true }
      return nil
    }
    isOver = true
    let sample = decoder.sample
    let strange = sample.filter { $0 < 0x20 && $0 != 0x09 || $0 >= 0x7F }.count
    if hasNoLines || 4 * strange > sample.count {
      return
        "\(name) sends noise, perhaps at another speed: write ?baud=9600 after its path, or the "
        + "number that its program gives to Serial.begin"
    }
    let shown = String(decoding: sample.prefix(Self.mostShown), as: UTF8.self)
    return
      "\(name) sends lines without numbers, such as \"\(shown)\": have it print knob 0.3, 512 0.3 7, or "
      + "{\"knob\": 0.3}"
  }
}
