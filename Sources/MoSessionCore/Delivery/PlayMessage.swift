/// A play on its way to one member or to all.
package struct PlayMessage: Hashable, Sendable {
  var from: MemberID
  /// The receiver; `nobody` in a multicast.
  package var to: MemberID
  /// The number of the sender's stream of messages; its lowest two bits identify the queue (`PlayQueue`).
  ///
  /// The number changes if the receiver joins anew; 0 for messages without acknowledgement.
  package var stream: Int32
  /// The message's number in the stream, from 1.
  ///
  /// For a message without acknowledgement, it is the number among all messages of this kind from the sender.
  package var number: Int32
  /// The lowest number of the stream that is still being sent: earlier messages have arrived or were given up.
  package var first: Int32
  /// The beat at which the play sounds; nil for immediately.
  var stamp: PlayStamp?
  package var play: SessionPlay

  package init(
    from: MemberID, to: MemberID, stream: Int32, number: Int32, first: Int32, stamp: PlayStamp? = nil,
    play: SessionPlay
  ) {
    (self.from, self.to, self.stream, self.number, self.first, self.stamp, self.play) = (
      from, to, stream, number, first, stamp, play
    )
  }
}

/// A beat of the room's rhythm, with the clock and the take to which the beat belongs.
package struct PlayStamp: Hashable, Sendable {
  /// The lineage of the clock on which the rhythm runs.
  package var lineage: MemberID
  /// The number of the take (`Timeline.take`): each start of the rhythm gets a new number.
  package var take: UInt32
  /// The beats since the beginning of bar 1 of the rhythm.
  package var beat: Double

  package init(lineage: MemberID, take: UInt32, beat: Double) {
    (self.lineage, self.take, self.beat) = (lineage, take, beat)
  }
}

extension SessionPlay {
  /// The address of the message that carries the play.
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
  /// Whether the queue that the stream number names is the right queue for this message.
  ///
  /// Shared data needs a queue for shared data, other plays need another queue, and a multicast needs a queue for all.
  var isInItsQueue: Bool {
    guard stream > 0 else { return true }
    let queue = PlayQueue(ofStream: stream, to: to)
    return queue.isShared == (play.address == .cells) && (queue.isForAll || to != .nobody)
  }
}

extension SessionPlay {
  /// Whether the play is delivered on arrival and not at its beat: this applies to cues.
  var isAnnounced: Bool { if case .cue = self { true } else { false } }

  /// Whether the play is a strike or the beginning of a note, which is useless much later than its beat.
  var isStroke: Bool {
    switch self {
    case .hit: true
    case .note(let note): note.velocity > 0
    case .melody, .change, .gesture, .cells, .cue, .text: false
    }
  }

  /// Whether the play is audible: it begins a sound, or it is a gesture that changes the sound at the receiver.
  package var makesSound: Bool {
    switch self {
    case .hit, .melody, .gesture: true
    case .note(let note): note.velocity > 0
    case .change, .cells, .cue, .text: false
    }
  }

  /// Whether the play ends a sound that would otherwise last forever.
  var endsSound: Bool {
    if case .note(let note) = self { note.velocity == 0 } else { false }
  }
}

/// A queue of messages that are delivered in order; the lowest two bits of a stream's number identify its queue.
///
/// Shared data has queues of its own, so that strikes and notes do not wait behind the drum patterns for a newcomer.
package struct PlayQueue: Hashable, Comparable, Sendable {
  /// The receiver; `nobody` for all.
  var to: MemberID
  /// Whether the queue carries shared data.
  var isShared: Bool

  var isForAll: Bool { to == .nobody }

  /// The lowest two bits of a stream number for this queue: 1 if the queue is for all members, plus 2 if it carries
  /// shared data.
  var bits: Int32 { (isForAll ? 1 : 0) | (isShared ? 2 : 0) }

  /// Creates the queue of a stream to a receiver.
  init(ofStream stream: Int32, to receiver: MemberID) {
    self.init(to: stream & 1 != 0 ? .nobody : receiver, isShared: stream & 2 != 0)
  }

  package init(to receiver: MemberID, isShared: Bool) { (to, self.isShared) = (receiver, isShared) }

  package static func < (left: PlayQueue, right: PlayQueue) -> Bool {
    (left.to.bits, left.bits) < (right.to.bits, right.bits)
  }
}
