import Glibc
import MoOSC

/// Turns what a board sends over a serial line into named values.
///
/// It takes lines of numbers, `512 0.3 7`, which are the channels 1, 2, 3; lines of a name and its numbers,
/// `knob 0.3`, `knob: 0.3`, `knob=0.3`; and OSC packets framed by SLIP. Numbers stand apart by spaces, commas,
/// semicolons or tabs. A name with several numbers, and an OSC message with several values, has the channels
/// `name/1`, `name/2` and so on. A line that is none of these is counted and dropped. END (C0) begins packets, and a
/// packet that cannot be one ends them: of text a byte of noise costs the line that it is in.
struct SerialDecoder {
  /// What was said.
  struct Value: Equatable {
    var channel: String
    var value: Float
  }

  private var line: [UInt8] = []
  /// Whether the line is too long, or begins in the middle, and is to be dropped.
  private var isBroken: Bool
  private var slip: OSCSlip?
  private var part = Part.start
  /// Lines and packets that said nothing.
  private(set) var dropped = 0

  /// The part of a packet that comes next: what comes first tells it from text.
  private enum Part {
    /// The first byte, `/` of an address or `#` of a bundle.
    case start
    /// The rest of the first text, up to a zero byte.
    case head
    case rest
  }

  private static let longestLine = 512
  private static let slipEnd: UInt8 = 0xC0

  /// - Parameter beginsAnywhere: whether what comes first may be the end of a line that began before.
  init(beginsAnywhere: Bool = true) { isBroken = beginsAnywhere }

  /// Takes in what came next; what it said.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [Value] {
    var values: [Value] = []
    for byte in bytes {
      if slip != nil, isNoPacket(byte) {
        dropped += 1
        slip = nil
        isBroken = true
      }
      // END is in no text, be it ASCII or UTF-8.
      if byte == Self.slipEnd, slip == nil { (slip, part) = (OSCSlip(), .start) }
      if slip != nil { packets(byte, &values) } else { text(byte, &values) }
    }
    return values
  }

  /// Whether a byte shows that what is under way is no packet.
  private mutating func isNoPacket(_ byte: UInt8) -> Bool {
    if byte == Self.slipEnd {
      part = .start
      return false
    }
    switch part {
    case .start:
      part = .head
      return byte != UInt8(ascii: "/") && byte != UInt8(ascii: "#")
    case .head:
      if byte == 0 { part = .rest }
      // A line's end is in no address.
      return byte == 0x0A || byte == 0x0D
    case .rest: return false
    }
  }

  private mutating func text(_ byte: UInt8, _ values: inout [Value]) {
    guard byte == 0x0A || byte == 0x0D else {
      if line.count < Self.longestLine { line.append(byte) } else { isBroken = true }
      return
    }
    defer {
      line.removeAll(keepingCapacity: true)
      isBroken = false
    }
    guard !line.isEmpty else { return }
    // The first of all may lack its beginning: a number's last digits are another number.
    if isBroken { return }
    let said = SerialDecoder.read(line)
    if said.isEmpty { dropped += 1 }
    values += said
  }

  /// What a line says; nothing for what is none.
  static func read(_ line: [UInt8]) -> [Value] {
    let words = line.split { byte in " \t,;:=".utf8.contains(byte) }
    var name: String?
    var numbers: [Float] = []
    for (index, word) in words.enumerated() {
      let text = String(decoding: word, as: UTF8.self)
      if let number = number(text) {
        numbers.append(number)
      } else if index == 0, word.first.map({ $0 > 0x40 || $0 == 0x2F }) ?? false,
        word.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      {
        name = text
      } else {
        return []
      }
    }
    return named(name, numbers)
  }

  private mutating func packets(_ byte: UInt8, _ values: inout [Value]) {
    slip?.append(CollectionOfOne(byte))
    do throws(OSCError) {
      while let bytes = try slip?.next() {
        guard let packet = try? OSCPacket(bytes: bytes) else {
          dropped += 1
          continue
        }
        SerialDecoder.read(packet, &values)
      }
    } catch {
      // What follows the next END is a packet again.
      dropped += 1
      slip = OSCSlip()
    }
  }

  private static func read(_ packet: OSCPacket, _ values: inout [Value]) {
    switch packet {
    case .message(let message):
      let numbers = message.arguments.compactMap { $0.number.map { Float($0) } }
      if numbers.allSatisfy(\.isFinite) { values += named(message.address, numbers) }
    case .bundle(let bundle):
      for element in bundle.elements { read(element, &values) }
    }
  }

  private static func named(_ name: String?, _ numbers: [Float]) -> [Value] {
    if let name, numbers.count == 1 { return [Value(channel: name, value: numbers[0])] }
    return numbers.enumerated().map { index, number in
      Value(channel: name.map { "\($0)/\(index + 1)" } ?? "\(index + 1)", value: number)
    }
  }

  /// The finite number that the whole of a text is; nil for anything else, such as `nan` or `0x1F`.
  private static func number(_ text: String) -> Float? {
    // 0x1F and 0X1F, and a zero byte, which would be the text's end.
    guard let first = text.utf8.first, first < 0x3A,
      !text.utf8.contains(where: { $0 | 0x20 == 0x78 || $0 == 0 })
    else { return nil }
    return text.withCString { start in
      var end: UnsafeMutablePointer<CChar>?
      let value = strtof(start, &end)
      return end.map { $0.pointee == 0 && UnsafePointer($0) != start } == true && value.isFinite ? value : nil
    }
  }
}
