import ArgumentParser
import MoMu
import MoOSC

/// `momu osc send`: sends one message.
struct SendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send an OSC message.",
    discussion: """
      The type of a value follows from its form: 3 is sent as i, 0.5 as f, true and false as T and F, and all else as \
      text. --types sets the types exactly, one letter per value: i f s b h d t S c m, and T F N I, which take no \
      value. Put options before HOST:PORT. The status is 1 if the network reports immediately that no program listens \
      there. Status 0 does not mean that the message arrived: check that with `momu osc ping`.

        momu osc send 192.168.0.5:8888 /drum/hit 3 0.8 left
        momu osc send --types sdT localhost:6449 /name 3 0.8
        momu osc send broadcast:6449 /start
      """)

  @Option(help: ArgumentHelp("The types of the values, such as ifs.", valueName: "TYPES"))
  var types: String?

  @Argument(help: ArgumentHelp("The receiver of the message.", valueName: "HOST:PORT"))
  var target: String

  @Argument(help: ArgumentHelp("The OSC address, such as /drum/hit.", valueName: "ADDRESS"))
  var address: String

  @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The values.", valueName: "VALUE"))
  var values: [String] = []

  func run() throws {
    let arguments = try types.map { types throws in try ValueReading.read(values, types: types) }
    let message = OSCMessage(address, arguments ?? values.map(ValueReading.guess))
    let refusal = WakeEvent()
    MoNet.onEvent { event in if case .undelivered = event { refusal.raise() } }
    try MoNet.send(.message(message), to: target)
    let isRefused = refusal.wait(for: Self.patience)
    MoNet.stop()
    if isRefused { throw ExitCode.failure }  // the network has logged the reason
  }

  /// The timeout for the network's report that no program listens on the receiver's port.
  ///
  /// By cable or Wi-Fi, the report takes 1 to 10 ms.
  private static let patience = Duration.milliseconds(50)
}
