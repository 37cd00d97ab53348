import MIDICore
import MoCore
import MoMIDI

/// A sequencer that always has one message of each kind, and a SysEx message.
private final class EndlessSequencer: MIDISequencer {
  let name = "endless"
  let address = MIDIAddress(128, 0)
  let descriptor: Int32? = nil
  let bytesPerSecond: Double? = 3125
  private let dump: [UInt8] = [0xF0] + [UInt8](repeating: 1, count: 254) + [0xF7]
  private var turn: UInt8 = 0

  func ports() -> [MIDIPort] {
    [MIDIPort(MIDIAddress(24, 0), client: "keyboard", name: "a keyboard's long name")]
  }
  func connect(from port: MIDIAddress) {}
  func connect(to port: MIDIAddress) {}
  func send(_ message: MIDIMessage, at time: HostTime) -> Bool { true }
  func sendSysEx(_ piece: UnsafeBufferPointer<UInt8>, at time: HostTime) -> Bool { true }
  func close(at time: HostTime) {}

  func receive(_ emit: (MIDISequencerEvent) -> Void) {
    turn &+= 1
    let (from, key) = (MIDIAddress(24, 0), MIDIUInt7(lowBitsOf: turn))
    emit(.message(.noteOn(0, key, velocity: 100), from: from, at: .zero))
    emit(.message(.control(0, 74, key), from: from, at: .zero))
    emit(.message(.bend(0, 9000), from: from, at: .zero))
    emit(.message(.pressure(0, key), from: from, at: .zero))
    emit(.message(.noteOff(0, key, velocity: 0), from: from, at: .zero))
    dump.withUnsafeBufferPointer { emit(.sysEx($0, from: from, at: .zero)) }
  }
}

/// MIDI's way from the sequencer to the callbacks, with a note sent in each turn.
final class HeldMIDI: @unchecked Sendable {
  // Unchecked: one thread at a time.
  private let pump: MIDIPump
  private let sender: MIDISender
  private let events = MIDICallbacks<MIDIEvent>()
  private let sysEx = MIDICallbacks<MIDISysEx>()

  init() {
    let sequencer = EndlessSequencer()
    pump = MIDIPump(sequencer, MIDIReceiver(events, sysEx), clock: ManualClock()) { _ in }
    sender = MIDISender(sequencer)
    _ = events.add { event in keep(MIDINote(copy event)?.velocity ?? 0) }
    _ = sysEx.add { message in keep(message.bytes.count) }
  }

  func turn() {
    pump.service(until: .zero)
    keep(pump.nextTime != nil)
    keep(sender.add(.note(0, 60, 100, nanoseconds: 0), at: .zero))
    keep(sender.nextTime != nil)
    sender.service(until: .zero)
  }
}

let heldMIDI = HeldMIDI()

/// The way of RTP-MIDI from one session's `send` to the other's events, with a packet lost from time to time.
final class HeldNetworkMIDI: @unchecked Sendable {
  // Unchecked: one thread at a time.
  private var player = AppleMIDISession(name: "a", seed: 1)
  private var listener = AppleMIDISession(name: "b", seed: 2)
  private var now = HostTime(seconds: 1000)
  private var count = 0

  init() {
    player.call(MIDIEndpoint(ipv4: 1, port: 5004), at: now)
    for _ in 0..<8 {
      Self.exchange(&player, &listener, host: 0, now)
      Self.exchange(&listener, &player, host: 1, now)
    }
    precondition(player.joined.count == 1 && listener.joined.count == 1)
  }

  private static func exchange(
    _ from: inout AppleMIDISession, _ to: inout AppleMIDISession, host: UInt32, _ now: HostTime
  ) {
    for datagram in from.takeOutgoing() {
      let place = MIDIEndpoint(ipv4: host, port: datagram.from == .data ? 5005 : 5004)
      to.receive(datagram.bytes.span, from: place, on: datagram.from, at: now)
    }
    keep(from.takeEvents().count)
  }

  func turn() {
    count += 1
    let key = MIDIUInt7(lowBitsOf: UInt8(count & 127))
    player.send(.noteOn(0, key, velocity: 100), at: now)
    player.send(.control(1, 74, key), at: now)
    player.send(.bend(2, MIDIUInt14(clamping: count & 0x3FFF)), at: now)
    player.send(.noteOff(0, MIDIUInt7(lowBitsOf: UInt8(count & 127 ^ 64)), velocity: 0), at: now)
    player.flush(at: now)
    let (isLost, from, now) = (count % 10 == 0, MIDIEndpoint(ipv4: 0, port: 5005), now)
    player.takeOutgoing { [self] bytes, _, _ in
      if !isLost { listener.receive(bytes.span, from: from, on: .data, at: now) }
    }
    listener.takeEvents { event in
      if case .received(_, let message, _, _) = event { keep(message.bytes.count) }
    }
  }
}

let heldNetworkMIDI = HeldNetworkMIDI()
