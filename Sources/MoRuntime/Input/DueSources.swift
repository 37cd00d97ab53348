import MoCore

/// Inputs that have something to do, the earliest first; of those at one time the first that came.
///
/// Its memory is used again at each turn.
struct DueSources<Input> {
  private var entries: [(input: Input, time: HostTime)] = []

  var inputs: some Sequence<Input> { entries.lazy.map(\.input) }

  mutating func add(_ input: Input, _ time: HostTime) {
    entries.append((input, time))
    // They come nearly in order, and are few.
    var place = entries.count - 1
    while place > 0, entries[place - 1].time > time {
      entries.swapAt(place - 1, place)
      place -= 1
    }
  }

  mutating func removeAll() { entries.removeAll(keepingCapacity: true) }
}
