import MIDICore
import MoCore

/// The ends of the notes that came with a length.
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

  private var heap = TimeHeap<End>(capacity: 1024)

  init() {}

  /// The time of the next release; nil for none.
  var nextTime: HostTime? { heap.nextTime }

  /// Adds the end of a note; false if there is no room.
  ///
  /// If notes of the same key overlap, only the latest end is kept.
  mutating func add(_ note: MIDITimedNote, from address: MIDIAddress, at time: HostTime) -> Bool {
    var end = End(
      note: note, address: address,
      time: time.advanced(byNanoseconds: Int64(max(note.milliseconds, 1)) * 1_000_000))
    heap.removeAll { other in
      guard other.address == address, other.note.channel == note.channel, other.note.key == note.key else {
        return false
      }
      end.time = max(end.time, other.time)
      return true
    }
    return heap.add(end, at: end.time)
  }

  /// Drops the end of a note that a message has released.
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

  /// Drops the ends of a port's notes; if `address.port` is negative, of all ports of the client.
  mutating func remove(from address: MIDIAddress) {
    heap.removeAll {
      $0.address.client == address.client && (address.port < 0 || $0.address.port == address.port)
    }
  }

  /// Removes and returns the first end if it is due at `time`; otherwise returns nil.
  mutating func removeFirst(dueBy time: HostTime) -> End? { heap.removeFirst(dueBy: time)?.element }
}
