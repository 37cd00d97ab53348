/// Something that is played, on its way to one member.
struct PlayLetter: Hashable, Sendable {
  var from: MemberID
  var to: MemberID
  /// Counts the sender's streams.
  ///
  /// A new one where it has met the receiver anew; 0 for what is not acknowledged.
  var stream: Int32
  /// Its place in the stream, from 1; or in all that the sender says that is not acknowledged.
  var number: Int32
  /// The first of the stream that is still sent: those before have come, or are given up.
  var first: Int32
  /// When it is to sound; nil for at once.
  var stamp: PlayStamp?
  var play: SessionPlay
}

/// A beat, by which all mean the same.
struct PlayStamp: Hashable, Sendable {
  /// The clock that the rhythm is on.
  var lineage: MemberID
  /// Which start of the rhythm.
  var take: UInt32
  /// Beats since its bar 1.
  var beat: Double
}

/// That all of a stream before a number have come.
struct PlayReceipt: Hashable, Sendable {
  var from: MemberID
  var to: MemberID
  var stream: Int32
  var next: Int32
}

extension SessionPlay {
  var address: SessionAddress {
    switch self {
    case .hit: .hit
    case .note: .note
    case .melody: .melody
    case .change: .parameter
    case .gesture: .gesture
    case .cells: .cells
    case .cue: .cue
    }
  }
}
