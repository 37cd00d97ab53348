import Dispatch
import MoCore
import MoRuntime
import Synchronization

/// Which thread calls a callback.
public enum NetDelivery: Sendable {
  /// The network thread, at once: a callback should be quick.
  case network
  /// The main thread, while `MoApp.run` waits there.
  case main
  /// A queue of the program's own.
  case queue(DispatchQueue)
}

/// Calls on their way to another thread; at most 1024 wait, and more are refused.
@usableFromInline
package final class NetCallQueue: Sendable {
  private let delivery: NetDelivery
  private let waiting = Atomic<Int>(0)
  private let gate = CancellableCallback(())

  static let capacity = 1024

  /// Nil where nothing is to be handed over.
  @usableFromInline init?(_ delivery: NetDelivery) {
    if case .network = delivery { return nil }
    self.delivery = delivery
  }

  /// Hands a message's call over, which comes to nothing once the server is stopped; false where there is no room.
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
      // Offline there is one thread, the main one.
      if Run.current.isOffline {
        work()
      } else if !Run.current.main.put(work) {
        waiting.wrappingSubtract(1, ordering: .relaxed)
        return false
      }
    }
    return true
  }

  /// Lets those that wait come to nothing; returns when none is running, or at once from within one.
  func cancel() { gate.close() }
}
