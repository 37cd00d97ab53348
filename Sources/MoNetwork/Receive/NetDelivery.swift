import Dispatch
import MoProgram
import MoRealTime
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
package final class NetHandOver: Sendable {
  private let delivery: NetDelivery
  private let waiting = Atomic<Int>(0)
  private let gate = CallGate(())

  static let capacity = 1024

  /// Nil where nothing is to be handed over.
  @usableFromInline init?(_ delivery: NetDelivery) {
    if case .network = delivery { return nil }
    self.delivery = delivery
  }

  /// Hands a call over; false where there is no room.
  @usableFromInline func put(_ call: @escaping @Sendable () -> Void) -> Bool {
    guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= Self.capacity else {
      waiting.wrappingSubtract(1, ordering: .relaxed)
      return false
    }
    let work: @Sendable () -> Void = { [self] in
      gate.pass { call() }
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
