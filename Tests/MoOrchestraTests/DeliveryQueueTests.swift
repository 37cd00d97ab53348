import MoCore
import MoOrchestra
import Testing

@Suite("The queue of events")
struct DeliveryQueueTests {
  @Test("a thread that adds an event during another thread's callback does not wait for this callback")
  func neverWaits() throws {
    let queue = DeliveryQueue<Int>(limit: 3)
    let reported = Locked<[Int]>([])
    let isInside = WakeEvent()
    let mayLeave = WakeEvent()
    queue.add(1)
    let reporter = try MoThread(name: "reporter") { _ in
      while queue.handle({ value in
        if value == 1 {
          isInside.raise()
          mayLeave.wait(for: nil)
        }
        reported.withLock { $0.append(value) }
      }) {}
    }
    isInside.wait(for: nil)
    queue.add(2)
    let isLeft = queue.handle { _ in Issue.record("the event belongs to the thread that is in the callback") }
    #expect(!isLeft)
    // The callback returns only after this thread's call, as if it waited for this thread.
    mayLeave.raise()
    reporter.join()
    #expect(reported.withLock { $0 } == [1, 2])
  }

  @Test("an event that a callback adds is reported after the events before it")
  func nested() {
    let queue = DeliveryQueue<Int>(limit: 3)
    var reported: [Int] = []
    queue.add(1)
    queue.add(2)
    while queue.handle({ value in
      if value == 1 {
        queue.add(3)
        let isLeft = queue.handle { reported.append(-$0) }
        #expect(!isLeft)
      }
      reported.append(value)
    }) {}
    #expect(reported == [1, 2, 3])
  }

  @Test("a call returns true for events that were added meanwhile, and false after these are removed")
  func remainder() {
    let queue = DeliveryQueue<Int>(limit: 3)
    queue.add(1)
    let wasAdded = queue.handle { queue.add($0 + 1) }
    #expect(wasAdded)
    queue.removeAll()
    let isLeft = queue.handle { _ in Issue.record("the event was removed") }
    #expect(!isLeft)
  }

  @Test("a callback that removes the events stops the rest, and the event that it then adds is reported")
  func removed() {
    let queue = DeliveryQueue<Int>(limit: 3)
    for value in 1...3 { queue.add(value) }
    var reported: [Int] = []
    while queue.handle({ value in
      reported.append(value)
      guard value == 1 else { return }
      queue.removeAll()
      queue.add(4)
    }) {}
    #expect(reported == [1, 4])
  }

  @Test("a full queue drops further values and reports this once, until it is handled")
  func overflow() {
    let queue = DeliveryQueue<Int>(limit: 3)
    for value in 1...3 { queue.add(value) }
    #expect(!queue.takeNewLoss())
    for value in 4...9 { queue.add(value) }
    #expect(queue.takeNewLoss())
    queue.add(10)
    #expect(!queue.takeNewLoss())
    var reported: [Int] = []
    _ = queue.handle { reported.append($0) }
    #expect(reported == [1, 2, 3])
    for value in 1...4 { queue.add(value) }
    #expect(queue.takeNewLoss())
  }
}
