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
    let isRefused = refusal.wait(for: Self.timeout)
    MoNet.stop()
    if isRefused { throw ExitCode.failure }  // the network has logged the reason
  }

  /// The timeout for the network's report that no program listens on the receiver's port.
  ///
  /// By cable or Wi-Fi, the report takes 1 to 10 ms.
  private static let timeout = Duration.milliseconds(50)
}

/// Parses OSC values typed on the command line.
enum ValueReading {
  /// Guesses the type of a value: 3 is `i`, 0.5 is `f`, true is `T`, all else is text.
  ///
  /// A whole number that does not fit in 32 bits is `h`.
  static func guess(_ word: String) -> OSCArgument {
    if let number = Int32(word) { return .int32(number) }
    if let number = Int64(word) { return .int64(number) }
    // Swift parses "nan", "infinity" and "0x1p3" as numbers; users mean text.
    let isDecimal = word.allSatisfy { $0.isWholeNumber || "+-.eE".contains($0) }
    if isDecimal, let number = Float(word) { return .float(number) }
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return .string(word)
    }
  }

  /// Parses words as values of the given OSC types, such as `if` for `3 0.5`.
  ///
  /// The types T, F, N and I have no word; each other type has one word.
  ///
  /// - Throws: `ToolError.badValue`, `badType` or `wrongCount`.
  static func read(_ words: [String], types: String) throws(ToolError) -> [OSCArgument] {
    var rest = words[...]
    var values: [OSCArgument] = []
    let wanted = types.filter { !"TFNI".contains($0) }.count
    guard wanted == words.count else { throw .wrongCount(types: types, wanted: wanted, given: words.count) }
    for type in types {
      switch type {
      case "T": values.append(.bool(true))
      case "F": values.append(.bool(false))
      case "N": values.append(.nil)
      case "I": values.append(.infinitum)
      default:
        let word = rest.popFirst() ?? ""
        guard let wants = wants(type) else { throw .badType(type) }
        guard let value = value(word, type) else {
          throw .badValue(number: words.count - rest.count, word: word, type: type, wants: wants)
        }
        values.append(value)
      }
    }
    return values
  }

  private static func value(_ word: String, _ type: Character) -> OSCArgument? {
    switch type {
    case "i": Int32(word).map { .int32($0) }
    case "h": Int64(word).map { .int64($0) }
    case "f": Float(word).map { .float($0) }
    case "d": Double(word).map { .double($0) }
    case "s": .string(word)
    case "S": .symbol(word)
    case "c": word.utf8.count == 1 ? word.utf8.first.map { .character($0) } : nil
    case "b": bytes(word).map { .blob($0) }
    case "m":
      bytes(word).flatMap { bytes in
        bytes.count == 4 ? .midi(port: bytes[0], status: bytes[1], data1: bytes[2], data2: bytes[3]) : nil
      }
    case "t":
      word == "now"
        ? .timeTag(.immediate)
        : Double(word).flatMap { seconds in
          abs(seconds) < 4e9 ? .timeTag(OSCTimeTag(nanosecondsSince1970: Int64(seconds * 1e9))) : nil
        }
    default: nil
    }
  }

  private static func wants(_ type: Character) -> String? {
    switch type {
    case "i": "a whole number of 32 bits, such as 3"
    case "h": "a whole number of 64 bits, such as 3"
    case "f", "d": "a number, such as 0.5"
    case "s", "S": "text"
    case "c": "one ASCII character"
    case "b": "bytes in hexadecimal digits, such as 00ff10"
    case "m": "four bytes in hexadecimal digits (port, status, data, data), such as 00903c7f"
    case "t": "now, or seconds since 1970"
    default: nil
    }
  }

  private static func bytes(_ word: String) -> [UInt8]? {
    let digits = Array(word)
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 2) {
      guard digits[start].isHexDigit, let byte = UInt8(String(digits[start...(start + 1)]), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
