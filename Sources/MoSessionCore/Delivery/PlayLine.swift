/// A line of messages that are heard in order; the lowest two bits of a stream's number.
///
/// What is shared has lines of its own, so that a newcomer's drum board does not hold up strokes.
struct PlayLine: Hashable, Comparable, Sendable {
  /// The receiver; `nobody` for all.
  var to: MemberID
  /// Whether it holds what is shared.
  var isShared: Bool

  var isForAll: Bool { to == .nobody }

  /// The bits that tell the sender's lines to one receiver apart.
  var bits: Int32 { (isForAll ? 1 : 0) | (isShared ? 2 : 0) }

  /// The line of a stream, to a receiver.
  init(ofStream stream: Int32, to receiver: MemberID) {
    self.init(to: stream & 1 != 0 ? .nobody : receiver, isShared: stream & 2 != 0)
  }

  init(to receiver: MemberID, isShared: Bool) { (to, self.isShared) = (receiver, isShared) }

  static func < (left: PlayLine, right: PlayLine) -> Bool {
    (left.to.bits, left.bits) < (right.to.bits, right.bits)
  }
}
