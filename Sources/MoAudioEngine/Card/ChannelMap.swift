/// The mapping between the program's channels and a card's channels, if the numbers of channels differ.
///
/// Output: a mono program plays on every channel of the card. Otherwise the program's channels go to the card's first
/// channels, and the card's other channels are silent. Input: a mono card fills every channel of the program. Otherwise
/// the card's first channels are used, and the program's other channels are silent. Channels of the source that the
/// target does not have are dropped.
///
/// - Thread: any.
/// - Real-time safe: yes.
struct ChannelMap: Equatable {
  /// The number of channels of the interleaved source.
  var from: Int
  /// The number of channels of the interleaved target.
  var to: Int

  /// Whether source and target have the same number of channels.
  var isIdentity: Bool { from == to }

  /// Copies interleaved frames from `source` to `target`, with the channels mapped.
  func copy(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, frames: Int
  ) {
    if from == to {
      target.update(from: source, count: frames &* to)
    } else if from == 1 {
      for frame in 0..<frames {
        let sample = source[frame]
        for channel in 0..<to { target[frame &* to &+ channel] = sample }
      }
    } else {
      let shared = min(from, to)
      for frame in 0..<frames {
        for channel in 0..<shared { target[frame &* to &+ channel] = source[frame &* from &+ channel] }
        if shared < to { for channel in shared..<to { target[frame &* to &+ channel] = 0 } }
      }
    }
  }
}
