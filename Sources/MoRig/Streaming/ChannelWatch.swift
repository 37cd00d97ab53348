import MoCore

/// A detector of a wrong channel name in a configuration: the wanted channel never arrives, but other channels of the
/// sensor do.
///
/// A board's channels are known only from the messages that it sends.
struct ChannelWatch: Sendable {
  private let stream: RigStream
  /// The names of the other channels that arrived, for the warning: the first 8 of them.
  private var others: [String] = []
  /// The time at which the first other channel arrived; nil if none has arrived.
  private var since: HostTime?
  private var isOver: Bool

  /// The seconds from the first other channel to the warning; a shorter time would warn of channels that a board sends
  /// rarely.
  private static let patience = 10.0
  private static let mostTold = 8

  init(_ stream: RigStream) { (self.stream, isOver) = (stream, stream.channel == nil) }

  /// Ends the detection, since the wanted channel has arrived.
  mutating func found() {
    if !isOver { (isOver, others) = (true, []) }
  }

  /// Handles a reading of a channel that is not the wanted channel.
  ///
  /// - Returns: the text of the warning, at the first call that is at least ten seconds after the first other channel;
  ///   nil at all other calls.
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
