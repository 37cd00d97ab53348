import MoCore
import MoOSC
import Synchronization

/// What a message came with besides its values.
@usableFromInline
package struct NetContext: Sendable {
  let peer: NetPeer
  let arrival: HostTime
  @usableFromInline package let time: HostTime
  let timeTag: OSCTimeTag?
  let server: NetServer
  /// How often the server had been closed when it came.
  let closing: Int

  /// The moment of its time tag, if that was still to come when it arrived; nil for a message that is meant for now.
  package var moment: HostTime? { time > arrival ? time : nil }

  /// Whether nobody has stopped the server since.
  var isCurrent: Bool { server.inbound.closings.load(ordering: .acquiring) == closing }
}

/// The values of a message while its callbacks run.
@usableFromInline
package struct NetValues {
  let view: OSCMessageView
  /// What the message came for.
  let address: String

  @usableFromInline package var count: Int { view.count }
  @usableFromInline package subscript(index: Int) -> OSCArgument { view[index] }
}

/// What a callback made of a message.
@usableFromInline
package enum NetCallResult: Sendable {
  /// It took it.
  case taken
  /// The values are not those it wants.
  case mismatched
  /// It has no room.
  case full
}

/// One callback with what it listens for.
///
/// - Thread: called on the network thread; cancelled from anywhere.
final class NetMethod: Sendable {
  typealias Body = @Sendable (NetValues, NetContext) -> NetCallResult

  let pattern: OSCAddressPattern
  let policy: NetPolicy
  let late: NetLate
  /// Whether messages for the future are given to it at once, as those are that go on to the audio callback.
  let isAhead: Bool
  /// What it wants, for the note that tells of a mismatch, such as `(Float, Float)`.
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

  /// Calls it; nil where it has been cancelled.
  func call(_ values: NetValues, _ context: NetContext) -> NetCallResult? {
    body.pass { $0(values, context) }
  }

  /// Stops the calls; returns when none is running, or at once from within.
  func cancel() {
    body.close()
    handOver?.cancel()
  }

  /// True once: a mismatch is told of, not every one.
  func mayComplain() -> Bool { !hasComplained.exchange(true, ordering: .relaxed) }
}
