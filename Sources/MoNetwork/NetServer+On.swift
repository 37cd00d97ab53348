import MoOSC
import MoRealTime

extension NetServer {
  /// Adds a callback on the network thread.
  @usableFromInline
  package func on(
    _ pattern: String, _ policy: NetPolicy, _ late: NetLate, isAhead: Bool = false, wants: String,
    handOver: NetHandOver? = nil, _ body: @escaping @Sendable (NetValues, NetContext) -> NetOutcome
  ) -> MoToken {
    let read: OSCAddressPattern
    do throws(OSCError) {
      read = try OSCAddressPattern(pattern)
    } catch {
      refuse(.unsendable(error))
      return MoToken {}
    }
    let token = inbound.add(
      NetHandler(read, policy: policy, late: late, isAhead: isAhead, wants: wants, handOver: handOver, body))
    want()
    return token
  }
}
