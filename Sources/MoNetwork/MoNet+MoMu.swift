import MoCore
import MoOSC

/// The names that Stanford's MoMu has for the same functions, so that its programs need few changes.
extension MoNet {
  /// Sends a message, like MoMu's function of this name; `send(_:_:to:)` does the same in one line.
  public static func sendMessage(_ ip: String, _ port: Int, _ address: String, _ values: any OSCValue...)
    throws
  {
    let host = ip.contains(":") ? "[\(ip)]" : ip
    try NetServer.shared.outbound.send(.message(OSCMessage(address, values: values)), to: "\(host):\(port)")
  }

  /// Calls `callback` with every message for an address.
  ///
  /// The original MoMu kept one callback per address; here, all callbacks stay.
  @discardableResult
  public static func addAddressCallback(
    _ address: String, _ callback: @escaping @Sendable (NetMessage) -> Void
  ) -> MoToken { on(address, callback) }

  /// Removes all callbacks of an address.
  public static func removeAddressCallback(_ address: String) {
    NetServer.shared.inbound.removeAll(at: address)
  }

  /// Sets the port for `startListening()`; 6449 by default.
  public static func setListeningPort(_ port: Int) { NetServer.shared.preferredPort = port }

  /// Returns the port on which the program listens, or would listen.
  public static func getListeningPort() -> Int { port ?? NetServer.shared.preferredPort }

  /// Starts to listen on the port that was set.
  public static func startListening() throws { try listen() }

  /// Stops listening.
  public static func stopListening() { stop() }

  /// Returns the address by which others on the network most likely reach this machine; nil without a network.
  public static func getMyIPaddress() -> String? { NetInterface.likeliestAddress() }
}
