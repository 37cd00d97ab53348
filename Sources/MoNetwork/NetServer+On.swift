import MoCore
import MoOSC

extension NetServer {
  /// Adds a callback for an address or pattern, and makes the server listen; the network thread calls `body`.
  ///
  /// - Parameters:
  ///   - isAhead: whether a message with a future time tag is delivered as soon as it arrives.
  ///   - wants: the expected types, such as `(Float, Float)`, for the warning about a mismatch.
  ///   - handOver: the queue in which `body` puts its calls for another thread; nil if there is none.
  @usableFromInline
  package func on(
    _ pattern: String, _ policy: NetPolicy, _ late: NetLate, isAhead: Bool = false, wants: String,
    handOver: NetCallQueue? = nil, _ body: @escaping @Sendable (NetValues, NetContext) -> NetCallResult
  ) -> MoToken {
    let read: OSCAddressPattern
    do throws(OSCError) {
      read = try OSCAddressPattern(pattern)
    } catch {
      refuse(.unsendable(error))
      return MoToken {}
    }
    let token = inbound.add(
      NetMethod(read, policy: policy, late: late, isAhead: isAhead, wants: wants, handOver: handOver, body))
    want()
    return token
  }
}
