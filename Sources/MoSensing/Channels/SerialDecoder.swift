import MoOSC

/// A decoder from a board's serial data to named values.
///
/// It reads lines of numbers, `512 0.3 7`, which are the channels 1, 2, 3. It reads lines of a name and its numbers,
/// `knob 0.3`, `knob: 0.3`, `knob=0.3`, and lines of JSON, `{"knob": 0.3}`. After a line of names, `temp,light`, the
/// numbers of each later line with two numbers are the channels `temp` and `light`. The decoder also reads OSC packets
/// framed by SLIP. Numbers are separated by spaces, commas, semicolons or tabs. A name with several numbers, and an OSC
/// message with several values, has the channels `name/1`, `name/2` and so on. Any other line is counted and dropped.
/// The byte END (C0) switches from lines to packets, and a packet that cannot be valid switches back. So noise in text
/// costs only the line that contains it.
package struct SerialDecoder {
  /// The beginning of an incomplete line.
  private var line: [UInt8] = []
  /// Whether the present line must be dropped, because it is too long or its beginning is missing.
  private var isBroken: Bool
  private var slip: OSCSlip?
  private var part = Part.start
  /// The number of lines without a value, and of invalid packets; a line of names does not count.
  package private(set) var dropped = 0
  /// The number of lines with a value, and of valid packets.
  private(set) var understood = 0
  /// The number of all received bytes.
  private(set) var received = 0
  /// The last line that was dropped.
  private(set) var sample: [UInt8] = []
  /// The channels in the last line of names, such as `temp,light`; empty before such a line.
  private var header: [ChannelName] = []

  /// The part of an OSC packet to which the next byte belongs.
  ///
  /// A byte that is not valid in `start` or `head` shows that the data is text.
  private enum Part {
    /// The first byte, `/` of an address or `#` of a bundle.
    case start
    /// The rest of the address, up to a zero byte.
    case head
    case rest
  }

  private static let slipEnd: UInt8 = 0xC0

  /// - Parameter beginsAnywhere: whether the first bytes may be the end of an incomplete line, which is then dropped.
  package init(beginsAnywhere: Bool = true) { isBroken = beginsAnywhere }

  /// Decodes the next bytes, and passes each value to `emit` as soon as the value's line or packet is complete.
  package mutating func decode(_ bytes: Span<UInt8>, emit: (ChannelName, Float) -> Void) {
    received &+= bytes.count
    var index = 0
    while index < bytes.count {
      if slip == nil {
        index = text(bytes, from: index, emit)
      } else if isNoPacket(bytes[index]) {
        dropped += 1
        slip = nil
        isBroken = true
      } else {
        packets(bytes[index], emit)
        index += 1
      }
    }
  }

  /// Decodes text up to the end of its line, or up to a packet.
  ///
  /// - Returns: the index of the next byte.
  private mutating func text(_ bytes: Span<UInt8>, from start: Int, _ emit: (ChannelName, Float) -> Void)
    -> Int
  {
    var end = start
    while end < bytes.count {
      switch bytes[end] {
      case 0x0A, 0x0D:
        endLine(bytes.extracting(start..<end), emit)
        return end + 1
      // END occurs in no text, whether ASCII or UTF-8. If it began no packet, the line is broken.
      case Self.slipEnd:
        line.removeAll(keepingCapacity: true)
        (slip, part) = (OSCSlip(), .start)
        return end
      default: end += 1
      }
    }
    append(bytes.extracting(start..<end))
    return end
  }

  private mutating func endLine(_ rest: Span<UInt8>, _ emit: (ChannelName, Float) -> Void) {
    // Most lines arrive whole: they are read in place.
    if line.isEmpty, rest.count <= SerialLine.longest {
      if !isBroken, !rest.isEmpty { read(rest, emit) }
    } else {
      append(rest)
      // The line is taken out and put back, so that it is not copied.
      var whole: [UInt8] = []
      swap(&whole, &line)
      if !isBroken { read(whole.span, emit) }
      swap(&whole, &line)
      line.removeAll(keepingCapacity: true)
    }
    // The very first line may lack its beginning, and a number's last digits are another number; the next line is
    // whole.
    isBroken = false
  }

  /// Reads a complete line.
  private mutating func read(_ line: Span<UInt8>, _ emit: (ChannelName, Float) -> Void) {
    if SerialLine.read(line, header: header, emit: emit) {
      understood &+= 1
    } else if let names = SerialLine.names(line) {
      header = names
    } else {
      dropped += 1
      sample = line.withUnsafeBufferPointer { Array($0) }
    }
  }

  private mutating func append(_ bytes: Span<UInt8>) {
    guard !isBroken, line.count + bytes.count <= SerialLine.longest else {
      isBroken = true
      return
    }
    for index in bytes.indices { line.append(bytes[index]) }
  }

  /// Returns whether the next byte of a supposed OSC packet shows that the data is not a packet; updates `part`.
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
      // A line end occurs in no address.
      return byte == 0x0A || byte == 0x0D
    case .rest: return false
    }
  }

  private mutating func packets(_ byte: UInt8, _ emit: (ChannelName, Float) -> Void) {
    slip?.append(CollectionOfOne(byte))
    do throws(OSCError) {
      while let bytes = try slip?.next() {
        guard let packet = try? OSCPacket(bytes: bytes) else {
          dropped += 1
          continue
        }
        understood &+= 1
        SerialDecoder.read(packet, emit)
      }
    } catch {
      // After the next END comes a packet again.
      dropped += 1
      slip = OSCSlip()
    }
  }

  private static func read(_ packet: OSCPacket, _ emit: (ChannelName, Float) -> Void) {
    switch packet {
    case .message(let message):
      let numbers = message.arguments.compactMap { $0.number.map { Float($0) } }
      guard numbers.allSatisfy(\.isFinite) else { return }
      for (index, number) in numbers.enumerated() {
        let channel = numbers.count == 1 ? message.address : "\(message.address)/\(index + 1)"
        emit(ChannelName(channel), number)
      }
    case .bundle(let bundle):
      for element in bundle.elements { read(element, emit) }
    }
  }
}
