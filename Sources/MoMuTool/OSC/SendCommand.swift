import ArgumentParser
import MoMu
import MoOSC

/// `momu osc send`: one message.
struct SendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send one message.",
    discussion: """
      Values are sent as what they look like: 3 as i, 0.5 as f, true and false as T and F, all else as text. \
      --types says it exactly, one letter a value: i f s b h d t S c m, and T F N I, which take no value. Options \
      stand before HOST:PORT. Ends with status 1 where the network says at once that nobody listens there; that \
      nothing is said does not mean that it arrived: `momu osc ping` finds that out.

        momu osc send 192.168.0.5:8888 /drum/hit 3 0.8 left
        momu osc send --types sdT localhost:6449 /name 3 0.8
        momu osc send broadcast:6449 /start
      """)

  @Option(help: ArgumentHelp("The values' types, such as ifs.", valueName: "TYPES"))
  var types: String?

  @Argument(help: ArgumentHelp("Whom it is for.", valueName: "HOST:PORT"))
  var target: String

  @Argument(help: ArgumentHelp("The address, such as /drum/hit.", valueName: "ADDRESS"))
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
    if isRefused { throw ExitCode.failure }  // the network's own words are told already
  }

  /// How long the network is given to say that nobody listens there; on a wire or Wi-Fi it takes 1 to 10 ms.
  private static let patience = Duration.milliseconds(50)
}
