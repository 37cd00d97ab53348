import CMoSystem
import Glibc
import MoCore
import MoNetwork
import MoOSC
import MoRuntime

/// Listens to the network for phones, and tells the user where they are to send.
final class PhoneListening: Sendable {
  private let messages: MoToken
  private let events: MoToken

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - port: nil for the one that the network listens on anyway.
  ///   - tell: told in words where phones are to send, and again when that changes.
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
    // One that listens already says nothing more.
    if let listening, port == nil || port == listening { tell(PhoneListening.text(port: listening)) }
    guard let port, port != listening else { return }
    do {
      try MoNet.listen(port: port)
    } catch {
      end()
      throw error
    }
  }

  /// Listens no more; the network goes on for others.
  func end() {
    messages.cancel()
    events.cancel()
  }

  private static func text(port: Int) -> String {
    PhoneText.waiting(
      hosts: hosts(), port: port,
      columns: TerminalLine.isAvailable ? Int(momu_terminal_columns(STDERR_FILENO)) : nil)
  }

  /// This machine's addresses, the one that phones most likely reach first.
  static func hosts(of interfaces: [NetInterface] = NetInterface.all()) -> [String] {
    let up = interfaces.filter { $0.isUp && !$0.isLoopback }
    // Phones come by Wi-Fi; containers and tunnels are no way for them, unless there is no other.
    let real = up.filter { $0.isWireless && !$0.isVirtual } + up.filter { !$0.isWireless && !$0.isVirtual }
    return (real.isEmpty ? up : real).flatMap(\.addresses).filter { !$0.contains(":") }
  }
}
