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

/// A queue of the calls of a callback on the main thread or a dispatch queue; at most 1024 calls wait, and further
/// calls are refused.
@usableFromInline
package final class NetCallQueue: Sendable {
  private let delivery: NetDelivery
  private let waiting = Atomic<Int>(0)
  private let gate = CancellableCallback(())

  static let capacity = 1024

  /// Creates the queue for a delivery; nil for `network`, since the network thread then calls the callback itself.
  @usableFromInline init?(_ delivery: NetDelivery) {
    if case .network = delivery { return nil }
    self.delivery = delivery
  }

  /// Adds the call for a message to the queue; returns false if the queue is full.
  ///
  /// The call is dropped if the server stops before the call begins.
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

  /// Cancels the waiting calls; returns when no call is running any more, or immediately if a running call itself
  /// cancels.
  func cancel() { gate.close() }
}
