import Dispatch
import MoCore
import MoOSC
import MoRuntime
import Synchronization

/// A callback with its pattern.
///
/// - Thread: called on the network thread; cancelled on any thread.
package final class NetMethod: Sendable {
  package typealias Body = @Sendable (NetValues, NetContext) -> NetCallResult

  let pattern: OSCAddressPattern
  let policy: NetPolicy
  let late: NetLate
  /// Whether the callback receives a message with a future time tag as soon as it arrives, for example to schedule it
  /// for the audio thread.
  let isAhead: Bool
  /// The expected values, for the warning about a mismatch, such as `(Float, Float)`.
  let wants: String
  /// The callback; after `cancel()`, `pass` does not call it.
  let body: CancellableCallback<Body>
  private let handOver: NetCallQueue?
  private let hasWarned = Atomic<Bool>(false)

  package init(
    _ pattern: OSCAddressPattern, policy: NetPolicy, late: NetLate, isAhead: Bool, wants: String,
    handOver: NetCallQueue? = nil, _ body: @escaping Body
  ) {
    self.pattern = pattern
    self.policy = policy
    self.late = late
    self.isAhead = isAhead
    self.wants = wants
    self.handOver = handOver
    self.body = CancellableCallback(body, inheritsPriority: false)
  }

  /// Cancels the callback; returns when no call is running any more, or immediately if a running call itself cancels.
  func cancel() {
    body.close()
    handOver?.cancel()
  }

  /// Returns true at the first call only, so that only the first mismatch is logged.
  func mayWarn() -> Bool { !hasWarned.exchange(true, ordering: .relaxed) }
}

/// The origin and the times of a message.
@usableFromInline
package struct NetContext: Sendable {
  let peer: NetPeer
  package let arrival: HostTime
  @usableFromInline package let time: HostTime
  let timeTag: OSCTimeTag?
  /// The number of the message's bytes, without its bundle.
  let length: Int
  let server: NetServer
  /// The number of times the receiver had been closed when the delivery of the message began.
  let closing: Int

  /// The time of the message's time tag, if this time was in the future when the message arrived; else nil.
  package var moment: HostTime? { time > arrival ? time : nil }

  /// Whether the message is still valid; false if the server was stopped after the delivery of the message began.
  var isCurrent: Bool { server.inbound.closings.load(ordering: .acquiring) == closing }
}

/// The values of a message while its callbacks run.
@usableFromInline
package struct NetValues {
  let view: OSCMessageView
  /// The address or pattern to which the message was sent.
  let address: String

  @usableFromInline package var count: Int { view.count }
  @usableFromInline package subscript(index: Int) -> OSCArgument { view[index] }
}

/// The result of a callback.
@usableFromInline
package enum NetCallResult: Sendable {
  /// The callback accepted the message.
  case taken
  /// The values do not fit the callback.
  case mismatched
  /// The message was dropped because a queue is full, or because the callback or the server was stopped.
  case full
}

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
