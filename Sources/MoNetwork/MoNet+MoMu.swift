import MoCore
import MoOSC

/// Functions under the names of Stanford's MoMu, so that a program for Stanford's MoMu needs few changes.
extension MoNet {
  /// Sends a message, like the function of this name in Stanford's MoMu; new programs use `send(_:_:to:)`.
  ///
  /// - Throws: `NetError`.
  public static func sendMessage(_ ip: String, _ port: Int, _ address: String, _ values: any OSCValue...)
    throws
  {
    let host = ip.contains(":") ? "[\(ip)]" : ip
    try NetServer.shared.outbound.send(.message(OSCMessage(address, values: values)), to: "\(host):\(port)")
  }

  /// Calls `callback` with every message for an address.
  ///
  /// Stanford's MoMu kept one callback per address. In this package, an address may have several callbacks.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  @discardableResult
  public static func addAddressCallback(
    _ address: String, _ callback: @escaping @Sendable (NetMessage) -> Void
  ) -> MoToken { on(address, callback) }

  /// Removes all callbacks of an address.
  public static func removeAddressCallback(_ address: String) {
    NetServer.shared.inbound.removeAll(at: address)
  }

  /// Chooses the port on which `startListening()` will listen; the default is 6449.
  ///
  /// The port is not checked here: `startListening()` throws an error for a wrong port.
  public static func setListeningPort(_ port: Int) { NetServer.shared.preferredPort = port }

  /// Returns the port on which the program listens, or on which `startListening()` would listen.
  public static func getListeningPort() -> Int { port ?? NetServer.shared.preferredPort }

  /// Starts to listen on the port that `setListeningPort(_:)` set.
  ///
  /// - Throws: `NetError`.
  public static func startListening() throws { try listen() }

  /// Stops listening and closes all sockets and connections, as `stop()` does.
  public static func stopListening() { stop() }

  /// Returns the IPv4 address at which other machines most likely reach this machine; nil without a network.
  public static func getMyIPaddress() -> String? { NetInterface.likeliestAddress() }
}
