import MoCore
import MoTesting
import Testing

@Suite("The heap of values by their times")
struct TimeHeapTests {
  @Test("returns values in the order of their times, and those of one time in the order they were added")
  func order() {
    var random = TestRandom(seed: 3)
    for _ in 0..<200 {
      var heap = TimeHeap<Int>(capacity: 300)
      var expected: [(time: Int64, value: Int)] = []
      var value = 0
      for _ in 0..<400 {
        if random.uniform() < 0.7, expected.count < 300 {
          let time = Int64(random.uniform() * 20)
          let isTaken = heap.add(value, at: HostTime(nanoseconds: time))
          #expect(isTaken)
          // The reference is a stable insertion.
          expected.insert((time, value), at: expected.firstIndex { $0.time > time } ?? expected.count)
          value += 1
        } else if random.uniform() < 0.1 {
          heap.removeAll { $0 % 3 == 0 }
          expected.removeAll { $0.value % 3 == 0 }
        } else {
          let due = Int64(random.uniform() * 20)
          let first = heap.removeFirst(dueBy: HostTime(nanoseconds: due))
          if let next = expected.first, next.time <= due {
            #expect(first?.element == next.value && first?.time.nanoseconds == next.time)
            expected.removeFirst()
          } else {
            #expect(first == nil)
          }
        }
        let (count, next) = (heap.count, heap.nextTime)
        #expect(count == expected.count && next?.nanoseconds == expected.first?.time)
      }
    }
  }

  @Test("a full heap refuses values, and a full event queue counts them")
  func full() {
    var heap = TimeHeap<Int>(capacity: 2)
    let taken = [heap.add(1, at: .zero), heap.add(2, at: .zero), heap.add(3, at: .zero)]
    #expect(taken == [true, true, false])
    let inbox = EventInbox<Int>(capacity: 4)
    for value in 0..<6 { _ = inbox.add(value, at: HostTime(nanoseconds: Int64(-value))) }
    #expect(inbox.dropped == 2)
    // In the order in which they were added, whatever their times.
    #expect((0..<5).map { _ in inbox.receive()?.element } == [0, 1, 2, 3, nil])
  }
}
