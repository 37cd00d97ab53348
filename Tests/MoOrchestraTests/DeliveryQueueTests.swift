import MoCore
import Testing

@testable import MoOrchestra

@Suite("The queue of events")
struct DeliveryQueueTests {
  @Test("a thread that adds an event during another thread's callback does not wait for this callback")
  func neverWaits() throws {
    let queue = DeliveryQueue<Int>()
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
    let queue = DeliveryQueue<Int>()
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
    let queue = DeliveryQueue<Int>()
    queue.add(1)
    let wasAdded = queue.handle { queue.add($0 + 1) }
    #expect(wasAdded)
    queue.removeAll()
    let isLeft = queue.handle { _ in Issue.record("the event was removed") }
    #expect(!isLeft)
  }
}
