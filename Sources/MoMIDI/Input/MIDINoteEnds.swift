import MIDICore
import MoCore

/// A queue of the future ends of notes that were received or are sent with their lengths.
///
/// - Thread: one owner.
/// - Real-time safe: yes, except for `init`.
struct MIDINoteEnds: ~Copyable {
  /// A note, with the port that sent it and the time of its release.
  struct End: Sendable, BitwiseCopyable {
    var note: MIDITimedNote
    var address: MIDIAddress
    var time: HostTime
  }

  private var heap: TimeHeap<End>

  /// Creates a queue with room for `capacity` ends.
  init(capacity: Int = 1024) { heap = TimeHeap(capacity: capacity) }

  /// The time at which the next note ends; nil if there is none.
  var nextTime: HostTime? { heap.nextTime }

  /// Adds the end of a note that a program has sent with its length; returns false if there is no room for it.
  ///
  /// - Parameter time: the time at which the note began.
  mutating func add(_ note: MIDITimedNote, from address: MIDIAddress, at time: HostTime) -> Bool {
    let nanoseconds = Int64(max(note.milliseconds, 1)) * 1_000_000
    return add(End(note: note, address: address, time: time.advanced(byNanoseconds: nanoseconds)))
  }

  /// Adds the end of a note; returns false if there is no room for it.
  ///
  /// If notes of the same port, channel and key overlap, only the latest end is kept.
  mutating func add(_ end: End) -> Bool {
    var end = end
    heap.removeAll { other in
      guard other.address == end.address, other.note.channel == end.note.channel,
        other.note.key == end.note.key
      else { return false }
      end.time = max(end.time, other.time)
      return true
    }
    return heap.add(end, at: end.time)
  }

  /// Removes the ends of the notes that a message, such as a note-off, has released.
  ///
  /// Only ends of notes from the port that sent the message (`address`) are removed.
  mutating func follow(_ message: MIDIMessage, from address: MIDIAddress) {
    guard heap.count > 0 else { return }
    switch message {
    case .noteOff(let channel, let key, _): remove(channel, key, address)
    case .noteOn(let channel, let key, let velocity) where velocity == 0: remove(channel, key, address)
    case .control(let channel, let number, _) where number == 120 || number >= 123:
      heap.removeAll { $0.address == address && $0.note.channel == channel }
    case .reset: heap.removeAll { $0.address == address }
    default: break
    }
  }

  private mutating func remove(_ channel: MIDIChannel, _ key: MIDIUInt7, _ address: MIDIAddress) {
    heap.removeAll { $0.address == address && $0.note.channel == channel && $0.note.key == key }
  }

  /// Removes the ends of all notes of a port or, if `address.port` is negative, of all ports of its client.
  mutating func remove(from address: MIDIAddress) {
    heap.removeAll {
      $0.address.client == address.client && (address.port < 0 || $0.address.port == address.port)
    }
  }

  /// Removes and returns the first end if it is due at `time`; otherwise returns nil.
  mutating func removeFirst(dueBy time: HostTime) -> End? { heap.removeFirst(dueBy: time)?.element }
}
