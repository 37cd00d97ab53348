import MoCore
import Testing

@testable import MoOrchestra

@Suite("The queue of events")
struct DeliveryQueueTests {
  @Test("a thread that adds an event during another thread's callback does not wait for this callback")
  func neverWaits() throws {
    let queue = DeliveryQueue<Int>(limit: 3)
    let told = Locked<[Int]>([])
    let isInside = WakeEvent()
    let mayLeave = WakeEvent()
    queue.add(1)
    let teller = try MoThread(name: "teller") { _ in
      while queue.handle({ value in
        if value == 1 {
          isInside.raise()
          mayLeave.wait(for: nil)
        }
        told.withLock { $0.append(value) }
      }) {}
    }
    isInside.wait(for: nil)
    queue.add(2)
    let isLeft = queue.handle { _ in Issue.record("the event belongs to the thread that is telling") }
    #expect(!isLeft)
    // The callback returns only after this thread's call, as if it waited for this thread.
    mayLeave.raise()
    teller.join()
    #expect(told.withLock { $0 } == [1, 2])
  }

  @Test("an event that a callback adds is told after the events before it")
  func nested() {
    let queue = DeliveryQueue<Int>(limit: 3)
    var told: [Int] = []
    queue.add(1)
    queue.add(2)
    while queue.handle({ value in
      if value == 1 {
        queue.add(3)
        let isLeft = queue.handle { told.append(-$0) }
        #expect(!isLeft)
      }
      told.append(value)
    }) {}
    #expect(told == [1, 2, 3])
  }

  @Test("the caller learns of events that were added meanwhile, and of none that were removed")
  func remainder() {
    let queue = DeliveryQueue<Int>(limit: 3)
    queue.add(1)
    let wasAdded = queue.handle { queue.add($0 + 1) }
    #expect(wasAdded)
    queue.removeAll()
    let isLeft = queue.handle { _ in Issue.record("the event was removed") }
    #expect(!isLeft)
  }

  @Test("a callback that removes the events stops the rest, and an event that it then adds is told")
  func removed() {
    let queue = DeliveryQueue<Int>(limit: 3)
    for value in 1...3 { queue.add(value) }
    var told: [Int] = []
    while queue.handle({ value in
      told.append(value)
      guard value == 1 else { return }
      queue.removeAll()
      queue.add(4)
    }) {}
    #expect(told == [1, 4])
  }

  @Test("a full queue drops further values and reports this once, until it is handled")
  func overflow() {
    let queue = DeliveryQueue<Int>(limit: 3)
    for value in 1...3 { queue.add(value) }
    #expect(!queue.reportsLoss())
    for value in 4...9 { queue.add(value) }
    #expect(queue.reportsLoss())
    queue.add(10)
    #expect(!queue.reportsLoss())
    var told: [Int] = []
    _ = queue.handle { told.append($0) }
    #expect(told == [1, 2, 3])
    for value in 1...4 { queue.add(value) }
    #expect(queue.reportsLoss())
  }
}
