import MoCore

/// A source of readings: a device, a tape, the terminal's keys, a simulated player.
///
/// A source has no thread of its own; the event loop (`EventLoop`) drives the source. In real time the `mo-input`
/// thread services the source when its descriptor becomes readable or its next time has come. Offline the renderer asks
/// all sources for their next times, and services all of them at the earliest of these times. A source delivers its
/// readings to its creator, in time order.
///
/// - Thread: any, but one thread at a time: the thread that drives the source.
package protocol EventSource: AnyObject {
  /// The source's name in options and messages, such as `evdev:/dev/input/event5`.
  var name: String { get }

  /// A file descriptor that becomes readable when the source is due; nil if the source has none.
  var descriptor: Int32? { get }

  /// The time when the source is next due, even if its descriptor is not readable.
  ///
  /// The value is nil if the source is due only when its descriptor is readable, and after the end of the source.
  var nextTime: HostTime? { get }

  /// Whether the source's descriptor stays the same as long as an event loop services the source.
  ///
  /// Descriptors that stay the same are in a list that the kernel keeps (epoll), so that idle descriptors add nothing
  /// to the cost of a wait.
  var keepsDescriptor: Bool { get }

  /// The longest delay after `nextTime` with which the source may be serviced, in nanoseconds; a constant.
  ///
  /// The delay saves wake-ups: the source can often be serviced when the thread wakes for another source.
  var slack: Int64 { get }

  /// Whether the source ends by itself, as a tape does.
  ///
  /// The value is a constant, except for a MIDI file in a room: a rhythm can start the file again after its end. An
  /// offline run without `--seconds` lasts until no finite source has a `nextTime`. It does not wait for other sources,
  /// such as simulated players, and sources that poll the room or the beat.
  var isFinite: Bool { get }

  /// Delivers all readings up to and including `now`.
  ///
  /// - Throws: the error that ends the source, such as a device that disappeared or a tape that cannot be read further.
  func service(until now: HostTime) throws
}

extension EventSource {
  package var isFinite: Bool { false }
  package var keepsDescriptor: Bool { false }
  package var slack: Int64 { 0 }

  /// Returns whether `nextTime` has come; offline, the event loop also services sources that are not due.
  package func isDue(at now: HostTime) -> Bool { nextTime.map { $0 <= now } ?? false }
}

/// An event source without a descriptor: it is due only at its `nextTime`.
///
/// `EventSource` itself has no default for `descriptor`, so that the compiler reports a source that lacks its
/// descriptor.
package protocol EventTimer: EventSource {}

extension EventTimer {
  package var descriptor: Int32? { nil }
  package var keepsDescriptor: Bool { true }
}

/// A list of the due inputs, the earliest first; inputs that are due at the same time are in the order in which they
/// were added.
///
/// The memory of this list is reused at each turn of the event loop.
struct DueSources<Input> {
  private var entries: [(input: Input, time: HostTime)] = []

  var inputs: some Sequence<Input> { entries.lazy.map(\.input) }

  mutating func add(_ input: Input, _ time: HostTime) {
    entries.append((input, time))
    // They are nearly in order, and few.
    var place = entries.count - 1
    while place > 0, entries[place - 1].time > time {
      entries.swapAt(place - 1, place)
      place -= 1
    }
  }

  mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
