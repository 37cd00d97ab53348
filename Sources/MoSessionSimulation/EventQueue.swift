/// The future events of a simulation, sorted by time; events at the same time stay in the order of their addition.
///
/// The queue is not generic: a generic queue takes most of a simulation's time if files are compiled one by one.
struct EventQueue: Sendable {
  /// An event of a virtual member.
  enum Event: Sendable {
    case tick(member: Int)
    case datagram([UInt8], from: Int, to: Int)
    /// The access point sends a multicast.
    case multicast([UInt8], from: Int)
  }

  private struct Entry: Sendable {
    var time: Int64
    var order: UInt64
    var event: Event
  }

  private var heap: [Entry] = []
  private var order: UInt64 = 0

  var nextTime: Int64? { heap.first?.time }
  var count: Int { heap.count }

  /// Returns the time, in nanoseconds, at which a member's last datagram arrives; nil if no datagram is under way.
  ///
  /// For a multicast that the access point still has to send, the time is that at which the access point sends it.
  func lastArrival(from member: Int) -> Int64? {
    heap.lazy.compactMap { entry -> Int64? in
      switch entry.event {
      case .datagram(_, let from, _), .multicast(_, let from): from == member ? entry.time : nil
      case .tick: nil
      }
    }.max()
  }

  mutating func add(_ event: Event, at time: Int64) {
    order += 1
    heap.append(Entry(time: time, order: order, event: event))
    var place = heap.count - 1
    while place > 0, precedes(place, (place - 1) / 2) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func removeFirst() -> (time: Int64, event: Event)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      siftDown()
    }
    return (first.time, first.event)
  }

  private mutating func siftDown() {
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count && precedes(child, least) {
        least = child
      }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    (heap[left].time, heap[left].order) < (heap[right].time, heap[right].order)
  }
}
