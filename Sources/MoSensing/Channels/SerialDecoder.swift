import MoOSC

/// Turns what a board sends over a serial line into named values.
///
/// It takes lines of numbers, `512 0.3 7`, which are the channels 1, 2, 3; lines of a name and its numbers,
/// `knob 0.3`, `knob: 0.3`, `knob=0.3`; lines of JSON, `{"knob": 0.3}`; a line of names, `temp,light`, after which lines of
/// as many numbers are theirs; and OSC packets framed by SLIP. Numbers stand apart by spaces, commas,
/// semicolons or tabs. A name with several numbers, and an OSC message with several values, has the channels
/// `name/1`, `name/2` and so on. A line that is none of these is counted and dropped. END (C0) begins packets, and a
/// packet that cannot be one ends them: of text a byte of noise costs the line that it is in.
struct SerialDecoder {
  /// The beginning of a line whose end has not come.
  private var line: [UInt8] = []
  /// Whether the line is too long, or begins in the middle, and is to be dropped.
  private var isBroken: Bool
  private var slip: OSCSlip?
  private var part = Part.start
  /// Lines and packets that said nothing.
  private(set) var dropped = 0
  /// Lines and packets that said something, and bytes of all kinds.
  private(set) var understood = 0
  private(set) var received = 0
  /// The line that was dropped last.
  private(set) var sample: [UInt8] = []
  /// The channels that a line of names has named.
  private var header: [ChannelName] = []

  /// The part of a packet that comes next: what comes first tells it from text.
  private enum Part {
    /// The first byte, `/` of an address or `#` of a bundle.
    case start
    /// The rest of the first text, up to a zero byte.
    case head
    case rest
  }

  private static let slipEnd: UInt8 = 0xC0

  /// - Parameter beginsAnywhere: whether what comes first may be the end of a line that began before.
  init(beginsAnywhere: Bool = true) { isBroken = beginsAnywhere }

  /// Takes in what came next, and says each value as soon as its line or packet is whole.
  mutating func take(_ bytes: Span<UInt8>, said: (ChannelName, Float) -> Void) {
    received &+= bytes.count
    var index = 0
    while index < bytes.count {
      if slip == nil {
        index = text(bytes, from: index, said)
      } else if isNoPacket(bytes[index]) {
        dropped += 1
        slip = nil
        isBroken = true
      } else {
        packets(bytes[index], said)
        index += 1
      }
    }
  }

  /// Takes in text up to the end of its line, or up to a packet.
  ///
  /// - Returns: where what follows begins.
  private mutating func text(_ bytes: Span<UInt8>, from start: Int, _ said: (ChannelName, Float) -> Void)
    -> Int
  {
    var end = start
    while end < bytes.count {
      switch bytes[end] {
      case 0x0A, 0x0D:
        endLine(bytes.extracting(start..<end), said)
        return end + 1
      // END is in no text, be it ASCII or UTF-8. If it began no packet, the line is broken.
      case Self.slipEnd:
        line.removeAll(keepingCapacity: true)
        (slip, part) = (OSCSlip(), .start)
        return end
      default: end += 1
      }
    }
    keep(bytes.extracting(start..<end))
    return end
  }

  private mutating func endLine(_ rest: Span<UInt8>, _ said: (ChannelName, Float) -> Void) {
    // Whole as it came, as most are: it is read where it stands.
    if line.isEmpty, rest.count <= SerialLine.longest {
      if !isBroken, !rest.isEmpty { read(rest, said) }
    } else {
      keep(rest)
      // Taken out and put back, so that it is not copied.
      var whole: [UInt8] = []
      swap(&whole, &line)
      if !isBroken { read(whole.span, said) }
      swap(&whole, &line)
      line.removeAll(keepingCapacity: true)
    }
    // The first of all may lack its beginning, and a number's last digits are another number; the next is whole.
    isBroken = false
  }

  /// Reads a whole line.
  private mutating func read(_ line: Span<UInt8>, _ said: (ChannelName, Float) -> Void) {
    if SerialLine.read(line, header: header, said: said) {
      understood &+= 1
    } else if let names = SerialLine.names(line) {
      header = names
    } else {
      dropped += 1
      sample = line.withUnsafeBufferPointer { Array($0) }
    }
  }

  private mutating func keep(_ bytes: Span<UInt8>) {
    guard !isBroken, line.count + bytes.count <= SerialLine.longest else {
      isBroken = true
      return
    }
    for index in bytes.indices { line.append(bytes[index]) }
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

  private mutating func packets(_ byte: UInt8, _ said: (ChannelName, Float) -> Void) {
    slip?.append(CollectionOfOne(byte))
    do throws(OSCError) {
      while let bytes = try slip?.next() {
        guard let packet = try? OSCPacket(bytes: bytes) else {
          dropped += 1
          continue
        }
        understood &+= 1
        SerialDecoder.read(packet, said)
      }
    } catch {
      // What follows the next END is a packet again.
      dropped += 1
      slip = OSCSlip()
    }
  }

  private static func read(_ packet: OSCPacket, _ said: (ChannelName, Float) -> Void) {
    switch packet {
    case .message(let message):
      let numbers = message.arguments.compactMap { $0.number.map { Float($0) } }
      guard numbers.allSatisfy(\.isFinite) else { return }
      for (index, number) in numbers.enumerated() {
        let channel = numbers.count == 1 ? message.address : "\(message.address)/\(index + 1)"
        said(ChannelName(channel), number)
      }
    case .bundle(let bundle):
      for element in bundle.elements { read(element, said) }
    }
  }
}
