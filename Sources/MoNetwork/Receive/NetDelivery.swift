import Dispatch
import MoCore
import MoRuntime
import Synchronization

/// The thread that calls a callback.
public enum NetDelivery: Sendable {
  /// The network thread, immediately: the callback must be quick.
  case network
  /// The main thread, while `MoApp.run` waits on that thread.
  case main
  /// A dispatch queue that the program provides.
  case queue(DispatchQueue)
}

/// The calls that wait for another thread; at most 1024, more are refused.
@usableFromInline
package final class NetCallQueue: Sendable {
  private let delivery: NetDelivery
  private let waiting = Atomic<Int>(0)
  private let gate = CancellableCallback(())

  static let capacity = 1024

  /// Returns nil if the network thread itself calls.
  @usableFromInline init?(_ delivery: NetDelivery) {
    if case .network = delivery { return nil }
    self.delivery = delivery
  }

  /// Queues a message's call, which is dropped if the server stops first; returns false if there is no room.
  @usableFromInline func put(_ context: NetContext, _ call: @escaping @Sendable () -> Void) -> Bool {
    guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= Self.capacity else {
      waiting.wrappingSubtract(1, ordering: .relaxed)
      return false
    }
    let work: @Sendable () -> Void = { [self] in
      gate.pass { if context.isCurrent { call() } }
      waiting.wrappingSubtract(1, ordering: .relaxed)
    }
    switch delivery {
    case .network: work()
    case .queue(let queue): queue.async(execute: work)
    case .main:
      // Offline there is only one thread, the main thread.
      if Run.current.isOffline {
        work()
      } else if !Run.current.main.put(work) {
        waiting.wrappingSubtract(1, ordering: .relaxed)
        return false
      }
    }
    return true
  }

  /// Drops the waiting calls; returns when none is running, or immediately from within a call.
  func cancel() { gate.close() }
}
