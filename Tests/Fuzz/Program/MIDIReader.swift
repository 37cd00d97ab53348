import MIDICore
import MoCore

/// Readers of MIDI from outside: bytes of a cable, files, RTP-MIDI packets, AppleMIDI sessions.
struct MIDIReader {
  private var parser = MIDIStreamParser(sysExLimit: 256)
  private var receiver = RTPMIDIReceiver(sysExLimit: 256)
  private var parameters = MIDIParameterReader()
  private var sender = RTPMIDISender(source: 1, first: 0)
  private var session = AppleMIDISession(name: "fuzz", seed: 1)
  private var now = HostTime(seconds: 1000)
  private var count = 0
  /// The last packets of the sender, which are the best inputs to mutate.
  private(set) var said: [[UInt8]] = []

  /// Reads the input with each reader; returns the law that it breaks, if any.
  mutating func read(_ input: [UInt8]) -> String? {
    count += 1
    now = now.advanced(bySeconds: 0.001)
    return stream(input) ?? file(input) ?? packet(input) ?? meet(input)
  }

  /// A stream gives no more messages than it has bytes, and holds a bounded SysEx message.
  private mutating func stream(_ input: [UInt8]) -> String? {
    var messages = 0
    for byte in input {
      guard let event = parser.read(byte) else { continue }
      messages += 1
      guard case .message(let message) = event else { continue }
      _ = parameters.read(message)
      let bytes = message.bytes
      guard MIDIMessage(status: bytes.status, bytes.first, bytes.second) == message else {
        return "a message that was read is written as another one"
      }
      if messages % 16 == 0, !sender.add(message, at: UInt32(truncatingIfNeeded: count)) { say() }
    }
    guard messages <= input.count else { return "a stream has more messages than bytes" }
    return parser.sysEx.count <= 256 ? nil : "a parser's SysEx message grows without bounds"
  }

  private mutating func say() {
    var packet: [UInt8] = []
    sender.takePacket(&packet, at: UInt32(truncatingIfNeeded: count))
    if said.count < 32 { said.append(packet) } else { said[count % 32] = packet }
  }

  /// A file that can be read can be written, and is read again the same.
  private func file(_ input: [UInt8]) -> String? {
    guard var file = try? MIDIFile(bytes: input) else { return nil }
    let events = file.tracks.reduce(0) { $0 + $1.events.count }
    guard events <= input.count else { return "a MIDI file has more events than bytes" }
    _ = (file.seconds, file.meters(), file.tracks.map(\.name))
    guard let bytes = try? file.bytes(), let again = try? MIDIFile(bytes: bytes) else {
      return "a MIDI file that was read cannot be written"
    }
    file.remarks = []
    return again == file ? nil : "a MIDI file that was written reads as something else"
  }

  /// A packet gives a bounded number of messages, and never a SysEx message beyond the limit.
  private mutating func packet(_ input: [UInt8]) -> String? {
    var messages = 0
    var isLong = false
    receiver.receive(input.span) { event in
      messages += 1
      if case .sysEx(let bytes, _) = event { isLong = isLong || bytes.count > 256 }
    }
    guard !isLong else { return "a SysEx message in packets is longer than its limit" }
    // A journal's byte can release at most eight keys, one for each bit, and a parameter has at most 128 steps.
    return messages <= 2048 + 160 * input.count ? nil : "a packet gives messages without bounds"
  }

  /// A session answers a datagram with at most one, at most twice its size, and has a bounded number of peers.
  private mutating func meet(_ input: [UInt8]) -> String? {
    let from = MIDIEndpoint(ipv4: UInt32(count % 50), port: UInt16(5004 + count % 2))
    session.receive(input.span, from: from, on: count % 2 == 0 ? .control : .data, at: now)
    let answers = session.takeOutgoing()
    _ = session.takeEvents()
    guard answers.count <= 1, answers.allSatisfy({ $0.bytes.count <= 2 * input.count && $0.to == from })
    else {
      return "an AppleMIDI session answers more than it is asked"
    }
    session.tick(at: now)
    guard session.takeOutgoing().isEmpty else { return "an AppleMIDI session invites who was not invited" }
    return session.joined.count <= AppleMIDISession.mostPeers
      ? nil : "an AppleMIDI session has peers without end"
  }
}
