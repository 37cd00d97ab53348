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
  private let claim: MoToken

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - port: the port to which phones send; nil for the port on which the network listens anyway.
  ///   - notify: receives a text with the address for phones, and again when the address changes.
  /// - Throws: as `SensorPort.listen`.
  init(
    to inbox: PhoneInbox, port: Int?, _ opening: SensorOpenContext<AccelReading>,
    notify: @escaping @Sendable (String) -> Void
  ) throws {
    let listening = MoNet.port
    events = MoNet.onEvent { event in
      if case .listening(let port) = event { notify(PhoneListening.text(port: port)) }
    }
    do {
      claim = try SensorPort.listen(port, opening)
    } catch {
      events.cancel()
      throw error
    }
    messages = MoNet.on("//*") { (message: NetMessage) in
      inbox.add(
        OSCMessage(message.address, message.arguments), from: message.sender.host, time: message.time,
        arrival: message.arrival)
    }
    // If it listens already, no further event comes.
    if let listening, port == nil || port == listening { notify(PhoneListening.text(port: listening)) }
  }

  /// Stops listening for phones; other receivers in this program still get the network's messages.
  func end() {
    for token in [messages, events, claim] { token.cancel() }
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

/// The texts for a user who plays with a phone.
enum PhoneText {
  /// Returns a line with the address to which the phone must send, and below it a QR code if the terminal is wide
  /// enough.
  ///
  /// - Parameters:
  ///   - hosts: this machine's addresses, the most likely first; empty if the machine is on no network.
  ///   - columns: the width of the terminal; nil if the text goes elsewhere.
  static func waiting(hosts: [String], port: Int, columns: Int?) -> String {
    guard let host = hosts.first else {
      return "Waiting for a phone on port \(port), but this machine is on no network: connect it to the "
        + "phone's Wi-Fi."
    }
    let others = hosts.count > 1 ? " (or \(hosts.dropFirst().joined(separator: ", ")))" : ""
    let text =
      "Waiting for a phone. In TouchOSC, ZIG SIM or Sensors2OSC type host \(host)\(others), port \(port)."
    guard let columns else { return text }
    guard let code = QRCode("\(host):\(port)") else {
      return text + " (To show it as a QR code, too: \(QRCode.advice).)"
    }
    guard columns >= QRPicture.columns(code) else { return text }
    return ([text] + QRPicture.lines(code)).joined(separator: "\n")
  }

  /// Returns a hint at the possible cause if no readings arrive.
  static func hint(port: Int, counts: PhoneSelector.Counts) -> String {
    counts.foreign + counts.unusable > 0
      ? "Messages arrive on port \(port), but none from an accelerometer: switch it on in TouchOSC's options, ZIG SIM's "
        + "ACCEL and GRAVITY, or Sensors2OSC's accelerometer."
      : "No message has arrived on port \(port) yet: is the phone on the same network, does it send to this "
        + "machine's address, and does the firewall here let the port in?"
  }

  /// Returns the notice that the phone has stopped sending.
  static func silence(_ phone: PhoneName) -> String {
    "The \(phone.kind) with \(phone) is silent: "
      + (phone.kind == "phone"
        ? "is its screen locked, or its Wi-Fi gone?" : "does its program run, and is it on the network?")
  }

  /// Returns the notice that more than one phone sends.
  static func others(_ phones: [PhoneName]) -> String {
    let names = phones.map(\.description).joined(separator: ", ")
    return
      "\(names) \(phones.count == 1 ? "sends" : "send"), too; MoMu reads the next phone when the present "
      + "phone is silent for two seconds."
  }
}
