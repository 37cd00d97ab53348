import MoCore

/// Notices that a channel which is wanted never comes, while others of the sensor do: a name with a slip in it.
///
/// A board's channels are known only from what it sends.
struct ChannelWatch: Sendable {
  private let stream: RigStream
  /// What came in its place, as many as are worth telling.
  private var others: [String] = []
  /// When the first came.
  private var since: HostTime?
  private var isOver: Bool

  /// How long others may come alone, in seconds: a board may send some of its values seldom.
  private static let patience = 10.0
  private static let mostTold = 8

  init(_ stream: RigStream) { (self.stream, isOver) = (stream, stream.channel == nil) }

  /// The channel has come.
  mutating func found() {
    if !isOver { (isOver, others) = (true, []) }
  }

  /// Takes another channel's reading.
  ///
  /// - Returns: what is wrong and what to write, once.
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
