import Glibc
import MoMu
import Synchronization

/// Prints lines until a given number is reached.
final class MoNetLines: Sendable {
  private let count: Int
  private let heard = Atomic<Int>(0)

  init(count: Int) { self.count = count }

  /// The number of lines so far.
  var printed: Int { heard.load(ordering: .relaxed) }

  /// Prints a line; returns the number of lines so far.
  func add(_ line: String) -> Int {
    // Unbuffered, so that a reader sees every line immediately.
    let text = line + "\n"
    _ = text.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
    return heard.wrappingAdd(1, ordering: .relaxed).newValue
  }

  func wait() { while heard.load(ordering: .relaxed) < count { usleep(1000) } }
}

/// Returns a message as a line.
func line(_ address: String, _ arguments: [OSCArgument]) -> String {
  ([address]
    + arguments.map { argument in
      let value: String
      switch argument {
      case .int32(let number): value = "\(number)"
      case .int64(let number): value = "\(number)"
      case .character(let code): value = "\(code)"
      case .float(let number): value = hex(number.bitPattern, 8)
      case .double(let number): value = hex(number.bitPattern, 16)
      case .timeTag(let tag): value = hex(tag.rawValue, 16)
      case .string(let text), .symbol(let text): value = hex(Array(text.utf8))
      case .blob(let bytes): value = hex(bytes)
      case .midi(let port, let status, let data1, let data2): value = hex([port, status, data1, data2])
      case .bool, .nil, .infinitum: value = ""
      }
      return "\(argument.typeTag):\(value)"
    }).joined(separator: " ")
}

/// Returns the value that a word denotes.
func value(_ word: Substring) -> OSCArgument {
  let text = String(word.dropFirst(2))
  let bytes = stride(from: 0, to: text.utf8.count - 1, by: 2).compactMap { index in
    UInt8(text.dropFirst(index).prefix(2), radix: 16)
  }
  switch word.first {
  case "i": return .int32(Int32(text) ?? 0)
  case "h": return .int64(Int64(text) ?? 0)
  case "c": return .character(UInt8(text) ?? 0)
  case "f": return .float(Float(bitPattern: UInt32(text, radix: 16) ?? 0))
  case "d": return .double(Double(bitPattern: UInt64(text, radix: 16) ?? 0))
  case "t": return .timeTag(OSCTimeTag(rawValue: UInt64(text, radix: 16) ?? 0))
  case "s": return .string(String(decoding: bytes, as: UTF8.self))
  case "S": return .symbol(String(decoding: bytes, as: UTF8.self))
  case "b": return .blob(bytes)
  case "m": return .midi(port: bytes[0], status: bytes[1], data1: bytes[2], data2: bytes[3])
  case "T": return .bool(true)
  case "F": return .bool(false)
  case "N": return .nil
  default: return .infinitum
  }
}

private func hex(_ number: some FixedWidthInteger, _ digits: Int) -> String {
  let text = String(number, radix: 16)
  return String(repeating: "0", count: digits - text.count) + text
}

private func hex(_ bytes: [UInt8]) -> String { bytes.map { hex($0, 2) }.joined() }

/// Waits until the program at a port of this machine has read its datagrams, as the kernel reports.
func waitUntilRead(_ target: String) {
  guard !target.hasPrefix("tcp"), let port = target.split(separator: ":").last.flatMap({ Int($0) }) else {
    return
  }
  let mark = ":" + hex(port, 4).uppercased() + " "
  while true {
    guard let file = fopen("/proc/net/udp", "r") else { return }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 256)
    var isEmpty = true
    while fgets(&text, 256, file) != nil {
      let line = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let fields = line.split(separator: " ")
      if fields.count > 4, (fields[1] + " ").hasSuffix(mark), !fields[4].hasSuffix(":00000000") {
        isEmpty = false
      }
    }
    if isEmpty { return }
    usleep(100)
  }
}
