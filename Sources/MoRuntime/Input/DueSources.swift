import MoCore

/// The inputs that are due, the earliest first; of inputs due at the same time, the one added first.
///
/// Its memory is reused at each turn.
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
