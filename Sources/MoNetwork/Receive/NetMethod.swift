import MoCore
import MoOSC
import Synchronization

/// The origin and the times of a message.
@usableFromInline
package struct NetContext: Sendable {
  let peer: NetPeer
  let arrival: HostTime
  @usableFromInline package let time: HostTime
  let timeTag: OSCTimeTag?
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

/// A callback with its pattern.
///
/// - Thread: called on the network thread; cancelled on any thread.
final class NetMethod: Sendable {
  typealias Body = @Sendable (NetValues, NetContext) -> NetCallResult

  let pattern: OSCAddressPattern
  let policy: NetPolicy
  let late: NetLate
  /// Whether the callback receives a message with a future time tag as soon as it arrives, for example to schedule it
  /// for the audio thread.
  let isAhead: Bool
  /// The expected values, for the warning about a mismatch, such as `(Float, Float)`.
  let wants: String
  private let body: CancellableCallback<Body>
  private let handOver: NetCallQueue?
  private let hasComplained = Atomic<Bool>(false)

  init(
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

  /// Calls the callback; returns nil if the callback has been cancelled.
  func call(_ values: NetValues, _ context: NetContext) -> NetCallResult? {
    body.pass { $0(values, context) }
  }

  /// Cancels the callback; returns when no call is running any more, or immediately if a running call itself cancels.
  func cancel() {
    body.close()
    handOver?.cancel()
  }

  /// Returns true at the first call only, so that only the first mismatch is logged.
  func mayComplain() -> Bool { !hasComplained.exchange(true, ordering: .relaxed) }
}
