import MoCore

/// A detector of a wrong channel name in a configuration: the wanted channel never arrives, but other channels of the
/// sensor do.
///
/// A board's channels are known only from the messages that it sends.
struct ChannelWatch: Sendable {
  private let stream: RigStream
  /// The first other channels that arrived: at most 8, which the warning will name.
  private var others: [String] = []
  /// The time at which the first other channel arrived; nil if none has arrived.
  private var since: HostTime?
  private var isOver: Bool

  /// Seconds in which only other channels may arrive: a board may send some of its values rarely.
  private static let patience = 10.0
  private static let mostTold = 8

  init(_ stream: RigStream) { (self.stream, isOver) = (stream, stream.channel == nil) }

  /// Ends the detection, since the wanted channel has arrived.
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
