import MoCore

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
