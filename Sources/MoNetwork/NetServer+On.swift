import MoCore
import MoOSC

extension NetServer {
  /// Adds a callback on the network thread.
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
