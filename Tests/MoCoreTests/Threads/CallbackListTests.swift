import MoCore
import Synchronization
import Testing

@Suite("Callbacks and threads")
struct CallbackListTests {
  @Test("callbacks are called in the order they were added, until cancelled")
  func order() {
    let list = CallbackList<Int>()
    let heard = Mutex<[String]>([])
    list.add { value in heard.withLock { $0.append("a\(value)") } }
    let second = list.add { value in heard.withLock { $0.append("b\(value)") } }
    list.call(1)
    second.cancel()
    second.cancel()
    list.call(2)
    #expect(heard.withLock { $0 } == ["a1", "b1", "a2"])
  }

  @Test("a callback may cancel itself, and is not called again")
  func cancelsItself() {
    let list = CallbackList<Int>()
    let calls = Atomic<Int>(0)
    let token = Mutex<MoToken?>(nil)
    let made = list.add { _ in
      calls.wrappingAdd(1, ordering: .relaxed)
      token.withLock { $0 }?.cancel()
    }
    token.withLock { $0 = made }
    list.call(1)
    list.call(2)
    let count = calls.load(ordering: .relaxed)
    #expect(count == 1)
    #expect(list.isEmpty)
  }

  @Test("cancel returns only when no call is running")
  func cancelWaits() throws {
    let list = CallbackList<Int>()
    let isInside = WakeEvent()
    let mayLeave = WakeEvent()
    let hasLeft = Atomic<Bool>(false)
    let token = list.add { _ in
      isInside.raise()
      mayLeave.wait(for: nil)
      hasLeft.store(true, ordering: .releasing)
    }
    let caller = try MoThread(name: "caller") { _ in list.call(1) }
    isInside.wait(for: nil)
    let leftAtCancel = Atomic<Bool>(false)
    let canceller = try MoThread(name: "canceller") { _ in
      token.cancel()
      leftAtCancel.store(hasLeft.load(ordering: .acquiring), ordering: .releasing)
    }
    mayLeave.raise()
    canceller.join()
    caller.join()
    let left = leftAtCancel.load(ordering: .acquiring)
    #expect(left)
  }

  @Test("a thread's sleep ends when it is cancelled")
  func cancelledSleep() throws {
    let thread = try MoThread(name: "a name longer than the kernel keeps") { thread in
      while !thread.isCancelled { thread.sleep(for: .seconds(3600)) }
    }
    thread.cancel()
    thread.join()
    #expect(thread.isFinished)
  }
}
