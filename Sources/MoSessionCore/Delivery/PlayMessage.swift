/// Something that is played, on its way to one member or to all.
struct PlayMessage: Hashable, Sendable {
  var from: MemberID
  /// `nobody` in a call to all.
  var to: MemberID
  /// Counts the sender's streams, and tells its line (`PlayLine`).
  ///
  /// A new one if it has met the receiver anew; 0 for what is not acknowledged.
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
package struct PlayStamp: Hashable, Sendable {
  /// The clock that the rhythm is on.
  package var lineage: MemberID
  /// Which start of the rhythm.
  package var take: UInt32
  /// Beats since its bar 1.
  package var beat: Double
}

extension SessionPlay {
  /// The address of a message that plays it.
  package var address: SessionAddress {
    switch self {
    case .hit: .hit
    case .note: .note
    case .melody: .melody
    case .change: .parameter
    case .gesture: .gesture
    case .cells: .cells
    case .cue: .cue
    case .text: .text
    }
  }
}

extension PlayMessage {
  /// Whether what is ordered comes in a stream of its line; calls to all are in those for all.
  var isInItsLine: Bool {
    guard stream > 0 else { return true }
    let line = PlayLine(ofStream: stream, to: to)
    return line.isShared == (play.address == .cells) && (line.isForAll || to != .nobody)
  }
}

extension SessionPlay {
  /// Whether it is handed over as it comes, with the beat that it is for.
  var isAnnounced: Bool { if case .cue = self { true } else { false } }

  /// Whether it begins a sound, and so is of no use much later than its beat.
  var isStroke: Bool {
    switch self {
    case .hit: true
    case .note(let note): note.velocity > 0
    case .melody, .change, .gesture, .cells, .cue, .text: false
    }
  }

  /// Whether it is heard: it begins a sound, or moves an instrument that makes sound elsewhere.
  var makesSound: Bool {
    switch self {
    case .hit, .melody, .gesture: true
    case .note(let note): note.velocity > 0
    case .change, .cells, .cue, .text: false
    }
  }

  /// Whether it ends a sound, which would else go on for ever.
  var endsSound: Bool {
    if case .note(let note) = self { note.velocity == 0 } else { false }
  }
}

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
