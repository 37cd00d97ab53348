import CMoSystem
import Glibc
import MoCore
import MoNetwork
import MoOSC
import MoRuntime

/// A listener for phones on the network, which also tells the user the address to which phones must send.
final class PhoneListening: Sendable {
  private let messages: MoToken
  private let events: MoToken

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - port: the port to which phones send; nil for the port on which the network listens anyway.
  ///   - tell: receives a text with the address for phones, and again when the address changes.
  /// - Throws: `NetError`.
  init(to inbox: PhoneInbox, port: Int?, tell: @escaping @Sendable (String) -> Void) throws {
    let listening = MoNet.port
    events = MoNet.onEvent { event in
      if case .listening(let port) = event { tell(PhoneListening.text(port: port)) }
    }
    messages = MoNet.on("//*") { (message: NetMessage) in
      inbox.take(
        OSCMessage(message.address, message.arguments), from: message.sender.host, time: message.time,
        arrival: message.arrival)
    }
    // If it listens already, no further event comes.
    if let listening, port == nil || port == listening { tell(PhoneListening.text(port: listening)) }
    guard let port, port != listening else { return }
    do {
      try MoNet.listen(port: port)
    } catch {
      end()
      throw error
    }
  }

  /// Stops listening for phones; other receivers in this program still get the network's messages.
  func end() {
    messages.cancel()
    events.cancel()
  }

  private static func text(port: Int) -> String {
    PhoneText.waiting(
      hosts: hosts(), port: port,
      columns: TerminalLine.isAvailable ? Int(momu_terminal_columns(STDERR_FILENO)) : nil)
  }

  /// Returns this machine's IPv4 addresses, first the address that phones most likely reach.
  static func hosts(of interfaces: [NetInterface] = NetInterface.all()) -> [String] {
    let up = interfaces.filter { $0.isUp && !$0.isLoopback }
    // Phones come by Wi-Fi. Containers and tunnels are used only if there is no other interface.
    let real = up.filter { $0.isWireless && !$0.isVirtual } + up.filter { !$0.isWireless && !$0.isVirtual }
    return (real.isEmpty ? up : real).flatMap(\.addresses).filter { !$0.contains(":") }
  }
}
