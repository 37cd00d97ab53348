import MoCore
import MoOSC

/// The names that Stanford's MoMu has for the same, so that its programs read on.
extension MoNet {
  /// Sends a message, as MoMu's call of this name; `send(_:_:to:)` is the same in one line.
  public static func sendMessage(_ ip: String, _ port: Int, _ address: String, _ values: any OSCValue...)
    throws
  {
    let host = ip.contains(":") ? "[\(ip)]" : ip
    try NetServer.shared.outbound.send(.message(OSCMessage(address, values: values)), to: "\(host):\(port)")
  }

  /// Calls `callback` with every message for an address; MoMu kept one a address, here each stays.
  @discardableResult
  public static func addAddressCallback(
    _ address: String, _ callback: @escaping @Sendable (NetMessage) -> Void
  ) -> MoToken { on(address, callback) }

  /// Takes away every callback of an address.
  public static func removeAddressCallback(_ address: String) {
    NetServer.shared.inbound.removeAll(at: address)
  }

  /// The port that `startListening()` takes; 6449 at first.
  public static func setListeningPort(_ port: Int) { NetServer.shared.preferredPort = port }

  /// The port that is listened on, or would be.
  public static func getListeningPort() -> Int { port ?? NetServer.shared.preferredPort }

  /// Listens on the port that was set.
  public static func startListening() throws { try listen() }

  /// Stops to listen.
  public static func stopListening() { stop() }

  /// The address by which others most likely reach this machine; nil where it is on no network.
  public static func getMyIPaddress() -> String? { NetInterface.likeliestAddress() }
}
