/// What is to happen, by time; what was put in first comes first of two at the same time.
struct EventQueue<Element: Sendable>: Sendable {
  private var heap: [(time: Int64, order: UInt64, element: Element)] = []
  private var order: UInt64 = 0

  var nextTime: Int64? { heap.first?.time }
  var count: Int { heap.count }

  mutating func add(_ element: Element, at time: Int64) {
    order += 1
    heap.append((time, order, element))
    var place = heap.count - 1
    while place > 0, precedes(place, (place - 1) / 2) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func removeFirst() -> (time: Int64, element: Element)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return (first.time, first.element)
  }

  private mutating func sink() {
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
