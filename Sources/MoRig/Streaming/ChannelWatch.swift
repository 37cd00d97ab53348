import MoCore

/// Detects that the wanted channel never arrives while others of the sensor do: its name has a typing error.
///
/// A board's channels are known only from the messages that it sends.
struct ChannelWatch: Sendable {
  private let stream: RigStream
  /// The first other channels that arrived, at most as many as the message will name.
  private var others: [String] = []
  /// The time at which the first other channel arrived; nil before that.
  private var since: HostTime?
  private var isOver: Bool

  /// Seconds in which only other channels may arrive: a board may send some of its values rarely.
  private static let patience = 10.0
  private static let mostTold = 8

  init(_ stream: RigStream) { (self.stream, isOver) = (stream, stream.channel == nil) }

  /// Records that the channel has arrived.
  mutating func found() {
    if !isOver { (isOver, others) = (true, []) }
  }

  /// Handles a reading of another channel.
  ///
  /// - Returns: the mistake and what to write instead, once.
  mutating func take(_ other: String, at time: HostTime) -> String? {
    guard !isOver else { return nil }
    if others.count < ChannelWatch.mostTold, !others.contains(other) { others.append(other) }
    let begun = since ?? time
    since = begun
    guard time.seconds(since: begun) >= ChannelWatch.patience else { return nil }
    defer { found() }
    return stream.wrongChannel(others.sorted()).map { "[\(stream.title)] sends nothing: \($0)" }
  }
}
